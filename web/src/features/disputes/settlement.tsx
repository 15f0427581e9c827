import { rulesOf } from '@sought/contract/currencies'
import { acceptSettlement, type Dispute, proposeSettlement, type Settlement } from '@sought/contract/disputes'
import { formatForInput } from '@sought/contract/money'
import { calculateRuling } from '@sought/escrow/rulings'
import { useState } from 'react'
import * as z from 'zod/mini'
import { explainFailure, useAction } from '../../data/use-action.ts'
import { isInRange, readAmount } from '../../format/amount.ts'
import { formatMoney } from '../../format/money.ts'
import { RulingSummary } from '../../shared/disputes/ruling-summary.tsx'
import { amountEntry } from '../../shared/forms/amount-entry.ts'
import { AmountFields } from '../../shared/forms/amount-fields.tsx'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { FormDialog } from '../../shared/forms/form-dialog.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'

interface SettlementProps {
  dispute: Dispute
  party: 'buyer' | 'seller'
}

/** Lets the parties agree on a partial refund, which ends the dispute without an admin. */
export function SettlementSection({ dispute, party }: SettlementProps) {
  const { settlement } = dispute
  const isOwn = settlement?.proposedBy === party
  return (
    <section aria-label="Settlement" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 className="font-display font-strong text-title">Agree on a settlement</h2>
      {settlement ? (
        <Proposal dispute={dispute} party={party} settlement={settlement} />
      ) : (
        <p className="text-ink-soft">
          Propose an amount to refund to the buyer. If the other party accepts, the money moves immediately
          and the dispute is closed.
        </p>
      )}
      <div className="grid gap-3">
        {settlement && !isOwn && <AcceptButton dispute={dispute} party={party} settlement={settlement} />}
        <ProposeButton dispute={dispute} party={party} />
      </div>
    </section>
  )
}

function Proposal({ dispute, party, settlement }: SettlementProps & { settlement: Settlement }) {
  const amount = formatMoney(settlement.refundAmount, dispute.currency)
  const split = calculateRuling(
    'refund_partial',
    dispute.amount,
    dispute,
    rulesOf(dispute.currency),
    settlement.refundAmount,
  )
  const other = party === 'buyer' ? dispute.seller : dispute.buyer
  const isOwn = settlement.proposedBy === party
  return (
    <div className="grid gap-3 rounded-card bg-sunken p-4">
      <p className="font-strong">
        {isOwn ? 'You propose' : `${other.name} proposes`} to refund {amount} to{' '}
        {party === 'buyer' ? 'you' : 'the buyer'}
      </p>
      {split && <RulingSummary ruling={split} of={dispute} reader={party} />}
      {isOwn && <p className="text-fine text-ink-soft">Waiting for {other.name} to reply.</p>}
    </div>
  )
}

/** Sends the amount that the dialog showed when it opened: the server refuses it if the proposal has changed. */
function AcceptButton({ dispute, party, settlement }: SettlementProps & { settlement: Settlement }) {
  const [shownAmount, setShownAmount] = useState<number | null>(null)
  const { run } = useAction(acceptSettlement, {
    success: { title: 'Dispute Settled', description: 'You both agreed. The money is on its way.' },
    failure: explainFailure('Failed to accept the settlement'),
  })
  const refundAmount = shownAmount ?? settlement.refundAmount
  const split = calculateRuling(
    'refund_partial',
    dispute.amount,
    dispute,
    rulesOf(dispute.currency),
    refundAmount,
  )
  const amount = formatMoney(refundAmount, dispute.currency)
  return (
    <ConfirmDialog
      title={`Accept a refund of ${amount} to ${party === 'buyer' ? 'you' : 'the buyer'}?`}
      description="The money moves immediately and the dispute is closed. This cannot be undone."
      confirmLabel={`Accept ${amount}`}
      cancelLabel="Not Yet"
      open={shownAmount !== null}
      onOpenChange={(open) => setShownAmount(open ? settlement.refundAmount : null)}
      onConfirm={() => run({ params: { paymentId: String(dispute.id) }, body: { refundAmount } })}
      trigger={<Button>Accept {formatMoney(settlement.refundAmount, dispute.currency)}</Button>}
    >
      {split && <RulingSummary ruling={split} of={dispute} reader={party} />}
    </ConfirmDialog>
  )
}

function ProposeButton({ dispute, party }: SettlementProps) {
  const { amount, currency, settlement } = dispute
  const { step } = rulesOf(currency)
  const range = { min: step, max: amount - step }
  const form = useContractForm(proposeSettlement, {
    schema: z.object({ refundAmount: amountEntry(range, currency) }),
    values: {
      refundAmount: formatForInput(settlement?.refundAmount ?? Math.ceil(amount / 2 / step) * step, currency),
    },
    input: (body) => ({ params: { paymentId: String(dispute.id) }, body }),
    success: { title: 'Proposal Sent', description: 'The other party can now accept it.' },
    failure: explainFailure('Failed to send the proposal'),
  })
  const refund = form.control('refundAmount')
  const cents = readAmount(refund.value, currency)
  const split = isInRange(range, cents)
    ? calculateRuling('refund_partial', amount, dispute, rulesOf(dispute.currency), cents)
    : null
  const label = settlement ? 'Propose Another Amount' : 'Propose a Settlement'
  return (
    <FormDialog
      form={form}
      name="Settlement"
      width="slip"
      title={label}
      description={
        settlement ? 'It replaces the current proposal.' : 'We notify the other party immediately.'
      }
      trigger={<Button variant="secondary">{label}</Button>}
      submitLabel="Send Proposal"
      disabled={!split}
    >
      <AmountFields
        currency={currency}
        label={party === 'buyer' ? 'Refund to you' : 'Refund to the buyer'}
        range={range}
        {...refund}
      />
      {split && <RulingSummary ruling={split} of={dispute} reader={party} />}
    </FormDialog>
  )
}
