import type { Currency } from '@sought/contract/currencies'
import { rulesOf } from '@sought/contract/currencies'
import {
  REFUND_REASON_MAX_LENGTH,
  type Refundable,
  RefundEntry,
  type refundBuyer,
  type refundDeal,
} from '@sought/contract/payments'
import { shareRefund } from '@sought/escrow/debts'
import type { ReactElement } from 'react'
import * as z from 'zod/mini'
import { explainFailure } from '../../data/use-action.ts'
import { isInRange, readAmount } from '../../format/amount.ts'
import { formatMoney, getCurrencySymbol } from '../../format/money.ts'
import { DefinitionList } from '../../ui/display/definition-list.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { amountEntry } from '../forms/amount-entry.ts'
import { useContractForm } from '../forms/contract-form.ts'
import { ConfirmForm } from '../forms/form-dialog.tsx'

interface RefundDialogProps {
  /** The seller's call, or the team's. */
  call: typeof refundBuyer | typeof refundDeal
  deal: { id: number; currency: Currency; buyer: { name: string } }
  refundable: Refundable
  reader: 'seller' | 'team'
  trigger: ReactElement
}

/** Refunds the buyer of a released deal, after showing who gives back how much. */
export function RefundDialog({ call, deal, refundable, reader, trigger }: RefundDialogProps) {
  const { currency, buyer } = deal
  const range = { min: rulesOf(currency).step, max: refundable.maxCents }
  const max = formatMoney(range.max, currency)
  const form = useContractForm(call, {
    schema: z.extend(z.pick(RefundEntry, { reason: true }), {
      amount: amountEntry(range, currency, `Enter an amount of at most ${max}`),
    }),
    values: { amount: '', reason: '' },
    input: (body) => ({ params: { id: String(deal.id) }, body }),
    success: (_, { amount }) => ({
      title: 'Refund started',
      description: `${formatMoney(amount, currency)} goes back to ${buyer.name}.`,
    }),
    failure: explainFailure('The buyer was not refunded'),
    onDone: () => form.reset(),
  })
  const cents = readAmount(form.watch('amount'), currency)
  const isValid = isInRange(range, cents)
  return (
    <ConfirmForm
      form={form}
      tone="danger"
      title="Refund the buyer?"
      description={`${buyer.name} gets the money back on their card, at most ${max}. This cannot be undone.`}
      confirmLabel={isValid ? `Refund ${formatMoney(cents, currency)}` : 'Refund'}
      cancelLabel="Not Now"
      trigger={trigger}
    >
      <TextField
        label="Amount"
        type="number"
        inputMode="decimal"
        min={0.01}
        step={0.01}
        before={getCurrencySymbol(currency)}
        {...form.field('amount')}
      />
      <TextArea label="Reason" rows={2} maxLength={REFUND_REASON_MAX_LENGTH} {...form.field('reason')} />
      {isValid && <Preview cents={cents} refundable={refundable} currency={currency} reader={reader} />}
    </ConfirmForm>
  )
}

interface PreviewProps extends Pick<RefundDialogProps, 'refundable' | 'reader'> {
  cents: number
  currency: Currency
}

function Preview({ cents, refundable, currency, reader }: PreviewProps) {
  const released = {
    seller: refundable.sellerCents,
    platformFee: refundable.platformCents,
    processingFee: refundable.processingCents,
  }
  const shares = shareRefund(released, refundable.refundedCents, cents, rulesOf(currency))
  return (
    <>
      <DefinitionList
        figures
        rows={[
          { label: 'The buyer gets', value: formatMoney(cents, currency) },
          {
            label: reader === 'seller' ? 'You give back' : 'The seller gives back',
            value: formatMoney(shares.seller, currency),
          },
          {
            label: 'Fees given back',
            value: formatMoney(shares.platformFee + shares.processingFee, currency),
          },
        ]}
      />
      <p className="text-fine text-ink-soft">
        {reader === 'seller'
          ? 'We take your part from the payout of this deal, or back from your Stripe account. If that is not enough, you owe the rest and we take it from your next payouts.'
          : 'The seller’s part is taken from the payout of this deal, or back from their Stripe account. If that is not enough, they owe the rest.'}
      </p>
    </>
  )
}
