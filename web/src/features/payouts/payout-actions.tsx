import { type ManualPayout, markPayoutPaid, undoManualPayout } from '@sought/contract/payouts'
import { useState } from 'react'
import { useCurrency } from '../../lib/currency.ts'
import { formatCents } from '../../lib/money.ts'
import { toast } from '../../lib/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { usePayoutStep } from './use-payout-step.ts'

const REFERENCE_MAX_LENGTH = 200

const toastUpdated = (description: string) => toast({ title: 'Payout Updated', description })

export function MarkPaidButton({ payout }: { payout: ManualPayout }) {
  const amount = formatCents(payout.amount, useCurrency())
  const [isOpen, setIsOpen] = useState(false)
  const [reference, setReference] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const { take, busy } = usePayoutStep(markPayoutPaid, () =>
    toastUpdated(`${amount} to ${payout.seller.name} is marked as paid.`),
  )
  const confirm = async () => {
    const trimmed = reference.trim()
    setIsMissing(trimmed === '')
    if (trimmed === '') return
    await take({ params: { id: String(payout.id) }, body: { reference: trimmed } })
    setIsOpen(false)
  }
  return (
    <ConfirmDialog
      title={`Have you paid ${amount}?`}
      description={`To ${payout.accountHolderName ?? payout.seller.name}${payout.accountLast4 ? `, account ending in ${payout.accountLast4}` : ''}. The seller is told that it is on its way.`}
      confirmLabel={`Mark ${amount} Paid`}
      cancelLabel="Not Yet"
      busy={busy}
      open={isOpen}
      onOpenChange={setIsOpen}
      onConfirm={() => void confirm()}
      trigger={<Button size="sm">Mark Paid</Button>}
    >
      <TextField
        label="Reference"
        hint="The bank’s number for the transfer, so that it can be found again."
        maxLength={REFERENCE_MAX_LENGTH}
        autoComplete="off"
        value={reference}
        error={isMissing ? 'Please give the reference of the transfer' : undefined}
        onChange={({ target }) => {
          setReference(target.value)
          setIsMissing(false)
        }}
      />
    </ConfirmDialog>
  )
}

export function UndoButton({ payout }: { payout: ManualPayout }) {
  const amount = formatCents(payout.amount, useCurrency())
  const [isOpen, setIsOpen] = useState(false)
  const { take, busy } = usePayoutStep(undoManualPayout, () =>
    toastUpdated(`${amount} is owed to ${payout.seller.name} again.`),
  )
  return (
    <ConfirmDialog
      title="It was not paid after all?"
      description={`${amount} will be owed to ${payout.seller.name} again. Both steps stay on record.`}
      confirmLabel="Take It Back"
      cancelLabel="Leave It Paid"
      busy={busy}
      open={isOpen}
      onOpenChange={setIsOpen}
      onConfirm={async () => {
        await take({ params: { id: String(payout.id) } })
        setIsOpen(false)
      }}
      trigger={
        <Button variant="secondary" size="sm" className="justify-self-start">
          Undo
        </Button>
      }
    />
  )
}
