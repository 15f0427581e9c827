import { createGoodwill, GOODWILL_MAX_CENTS, GOODWILL_REASON_MAX_LENGTH } from '@sought/contract/goodwill'
import type { Currency } from '@sought/contract/platform'
import { type ReactElement, useState } from 'react'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { isInRange, parseCents } from '../../../format/amount.ts'
import { formatCents, getCurrencySymbol } from '../../../format/money.ts'
import { Select } from '../../../ui/forms/select.tsx'
import { TextArea } from '../../../ui/forms/text-area.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'

const RANGE = { minCents: 1, maxCents: GOODWILL_MAX_CENTS }

interface GoodwillDialogProps {
  deal: { id: number; currency: Currency; buyer: { name: string }; seller: { name: string } }
  trigger: ReactElement
}

/** An admin gives a goodwill payment to a party of a deal. */
export function GoodwillDialog({ deal, trigger }: GoodwillDialogProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [to, setTo] = useState<'buyer' | 'seller'>('buyer')
  const [amount, setAmount] = useState('')
  const [reason, setReason] = useState('')
  const [isChecked, setIsChecked] = useState(false)
  const cents = parseCents(amount)
  const isAmount = isInRange(RANGE, cents)
  const { run, isPending } = useAction(createGoodwill, {
    success: ({ status }) => ({
      title: status === 'done' ? 'Goodwill Payment Granted' : 'Goodwill Payment Requested',
      description:
        status === 'done'
          ? `We notify the ${to}. Pay it on the goodwill page.`
          : 'It is above the limit, so another admin must approve it.',
    }),
    failure: explainFailure('Goodwill Payment Failed'),
  })
  const confirm = async () => {
    setIsChecked(true)
    if (!isAmount || reason.trim() === '') return
    if (await run({ body: { paymentId: deal.id, to, amount: cents, reason: reason.trim() } })) {
      setIsOpen(false)
      setAmount('')
      setReason('')
      setIsChecked(false)
    }
  }
  return (
    <ConfirmDialog
      title="Goodwill payment"
      description="From the platform’s own money. Large amounts need a second admin."
      confirmLabel={isAmount ? `Give ${formatCents(cents, deal.currency)}` : 'Give Goodwill'}
      busy={isPending}
      open={isOpen}
      onOpenChange={setIsOpen}
      onConfirm={() => void confirm()}
      trigger={trigger}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Select
          label="Recipient"
          value={to}
          onChange={({ target }) => setTo(target.value === 'seller' ? 'seller' : 'buyer')}
          options={[
            { value: 'buyer', label: `${deal.buyer.name}, buyer` },
            { value: 'seller', label: `${deal.seller.name}, seller` },
          ]}
        />
        <TextField
          label="Amount"
          type="number"
          inputMode="decimal"
          min={0.01}
          step={0.01}
          before={getCurrencySymbol(deal.currency)}
          value={amount}
          onChange={({ target }) => setAmount(target.value)}
          error={
            isChecked && !isAmount
              ? `Enter an amount of at most ${formatCents(GOODWILL_MAX_CENTS, deal.currency)}`
              : undefined
          }
        />
        <TextArea
          label="Reason"
          hint="For the team. The recipient does not see it."
          rows={3}
          maxLength={GOODWILL_REASON_MAX_LENGTH}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          error={isChecked && reason.trim() === '' ? 'A reason is required' : undefined}
        />
      </div>
    </ConfirmDialog>
  )
}
