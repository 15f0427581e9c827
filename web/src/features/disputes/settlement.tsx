import { acceptSettlement, type Dispute, proposeSettlement, type Settlement } from '@sought/contract/disputes'
import { calculateRuling } from '@sought/escrow/rulings'
import { type FormEvent, useState } from 'react'
import { formatCentsForInput, isInRange, parseCents } from '../../lib/amount.ts'
import { AmountFields } from '../../lib/amount-fields.tsx'
import { useCurrency } from '../../lib/currency.ts'
import { formatCents } from '../../lib/money.ts'
import { RulingSummary } from '../../lib/ruling-summary.tsx'
import { toast } from '../../lib/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog, DialogClose } from '../../ui/dialog.tsx'
import { useDisputeStep } from './use-dispute-step.ts'

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
      <h2 className="font-display font-strong text-title">Settle it between you</h2>
      {settlement ? (
        <Proposal dispute={dispute} party={party} settlement={settlement} />
      ) : (
        <p className="text-ink-soft">
          Name an amount that goes back to the buyer. If the other side accepts, it is done at once, without
          us.
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
  const currency = useCurrency()
  const amount = formatCents(settlement.refundAmount, currency)
  const split = calculateRuling('refund_partial', dispute.amount, settlement.refundAmount)
  const other = party === 'buyer' ? dispute.seller : dispute.buyer
  const isOwn = settlement.proposedBy === party
  return (
    <div className="grid gap-3 rounded-card bg-sunken p-4">
      <p className="font-strong">
        {isOwn ? 'You propose' : `${other.name} proposes`} {amount} back to{' '}
        {party === 'buyer' ? 'you' : 'the buyer'}
      </p>
      {split && <RulingSummary ruling={split} amountCents={dispute.amount} reader={party} />}
      {isOwn && <p className="text-fine text-ink-soft">Waiting for {other.name} to answer.</p>}
    </div>
  )
}

/** Accepts the amount that the dialog showed when it opened, even if another proposal arrives meanwhile. */
function AcceptButton({ dispute, party, settlement }: SettlementProps & { settlement: Settlement }) {
  const currency = useCurrency()
  const [shownAmount, setShownAmount] = useState<number | null>(null)
  const { take, busy } = useDisputeStep(acceptSettlement, {
    failed: 'Failed to accept the settlement',
    onDone: () => toast({ title: 'Dispute Settled', description: 'You both agreed. The money moves now.' }),
  })
  const refundAmount = shownAmount ?? settlement.refundAmount
  const split = calculateRuling('refund_partial', dispute.amount, refundAmount)
  const amount = formatCents(refundAmount, currency)
  return (
    <ConfirmDialog
      title={`Settle with ${amount} back to ${party === 'buyer' ? 'you' : 'the buyer'}?`}
      description="The money moves at once, and the dispute is over. This cannot be undone."
      confirmLabel={`Accept ${amount}`}
      cancelLabel="Not Yet"
      busy={busy}
      open={shownAmount !== null}
      onOpenChange={(open) => setShownAmount(open ? settlement.refundAmount : null)}
      onConfirm={async () => {
        await take({ params: { paymentId: String(dispute.id) }, body: { refundAmount } })
        setShownAmount(null)
      }}
      trigger={<Button>Accept {formatCents(settlement.refundAmount, currency)}</Button>}
    >
      {split && <RulingSummary ruling={split} amountCents={dispute.amount} reader={party} />}
    </ConfirmDialog>
  )
}

function ProposeButton({ dispute, party }: SettlementProps) {
  const [open, setOpen] = useState(false)
  const { settlement } = dispute
  const label = settlement ? 'Propose Another Amount' : 'Propose a Settlement'
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      width="slip"
      title={label}
      description={
        settlement ? 'It takes the place of what was proposed before.' : 'The other side is told at once.'
      }
      trigger={<Button variant="secondary">{label}</Button>}
    >
      <ProposeForm dispute={dispute} party={party} onDone={() => setOpen(false)} />
    </Dialog>
  )
}

function ProposeForm({ dispute, party, onDone }: SettlementProps & { onDone: () => void }) {
  const { amount, settlement } = dispute
  const range = { minCents: 1, maxCents: amount - 1 }
  const [text, setText] = useState(formatCentsForInput(settlement?.refundAmount ?? Math.ceil(amount / 2)))
  const cents = parseCents(text)
  const split = isInRange(range, cents) ? calculateRuling('refund_partial', amount, cents) : null
  const { take, busy } = useDisputeStep(proposeSettlement, {
    failed: 'Failed to send the proposal',
    onDone: () => {
      toast({ title: 'Proposal Sent', description: 'The other side can now accept it.' })
      onDone()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (split && !busy) {
      void take({ params: { paymentId: String(dispute.id) }, body: { refundAmount: split.refundCents } })
    }
  }
  return (
    <form
      noValidate
      aria-label="Settlement"
      onSubmit={submit}
      className="grid grid-cols-[minmax(0,1fr)] gap-5"
    >
      <AmountFields
        label={party === 'buyer' ? 'Back to you' : 'Back to the buyer'}
        range={range}
        text={text}
        onText={setText}
      />
      {split && <RulingSummary ruling={split} amountCents={amount} reader={party} />}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <DialogClose>
          <Button variant="secondary">Cancel</Button>
        </DialogClose>
        <Button type="submit" busy={busy} disabled={!split}>
          Send Proposal
        </Button>
      </div>
    </form>
  )
}
