import type { DeskDispute } from '@sought/contract/disputes'
import type { Currency } from '@sought/contract/platform'
import { canMove, partyIn } from '@sought/escrow/moves'
import type { Ruling } from '@sought/escrow/rulings'
import { type FormEvent, useState } from 'react'
import { useSession } from '../../../data/session.ts'
import { toast } from '../../../data/toasts.ts'
import { isInRange, parseCents } from '../../../format/amount.ts'
import { formatDateTime } from '../../../format/dates.ts'
import { formatCents, getCurrencySymbol } from '../../../format/money.ts'
import { describeTimeLeft, isPast } from '../../../format/time-left.ts'
import { disputeStatusBadge, disputeTitle, isResolved } from '../../../shared/disputes/dispute-status.ts'
import { RulingSummary } from '../../../shared/disputes/ruling-summary.tsx'
import { useNow } from '../../../shared/time/use-now.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { Select, toOptions } from '../../../ui/forms/select.tsx'
import { TextArea } from '../../../ui/forms/text-area.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { appendReply, InsertReply } from '../shared/insert-reply.tsx'
import { previewRuling, type Resolution, resolutionLabels, useResolve } from '../shared/use-resolve.ts'
import { BankCase, describePayout } from './bank-case.tsx'
import { FraudCase } from './fraud-case.tsx'
import { LongHold } from './long-hold.tsx'

const NOTE_MAX_LENGTH = 5000

interface ResolutionTabProps {
  dispute: DeskDispute
  /** Null unless an admin has ruled. Undefined while loading. */
  appealUntil?: string | null | undefined
  onResolved: () => void
}

export function ResolutionTab({ dispute, appealUntil, onResolved }: ResolutionTabProps) {
  const session = useSession()
  if (dispute.bankDecides) return <BankDecides dispute={dispute} />
  if (isResolved({ status: dispute.deskStatus }))
    return <AlreadyResolved dispute={dispute} appealUntil={appealUntil} />
  if (session.state === 'signed-in' && partyIn(dispute, session.user.id)) return <NotImpartial />
  if (!canMove(dispute.status, 'review', 'admin')) return <NotDisputed dispute={dispute} />
  return <ResolutionForm dispute={dispute} onResolved={onResolved} />
}

function BankDecides({ dispute }: { dispute: DeskDispute }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <BankCase dispute={dispute} />
      <p>
        You can rule on this payment once the bank has decided. Until then, a refund could pay the buyer
        twice, and a release could pay the seller with money that the bank takes.
      </p>
      <Button className="justify-self-start" disabled>
        Resolve Dispute
      </Button>
    </div>
  )
}

/** A payment in escrow that is on the desk for another reason. */
function NotDisputed({ dispute }: { dispute: DeskDispute }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <FraudCase dispute={dispute} />
      <LongHold dispute={dispute} />
      <p>The buyer has not disputed this payment, so there is nothing to rule on.</p>
    </div>
  )
}

function AlreadyResolved({ dispute, appealUntil }: Pick<ResolutionTabProps, 'dispute' | 'appealUntil'>) {
  const { currency } = dispute
  const now = useNow()
  const title = disputeStatusBadge(dispute.deskStatus).label
  if (!isResolved(dispute)) {
    return (
      <Notice tone="success" title={title}>
        The card’s bank decided. {describePayout(dispute)}
      </Notice>
    )
  }
  return (
    <Notice tone="success" title={title}>
      {formatCents(dispute.refundCents ?? 0, currency)} of {formatCents(dispute.amount, currency)} was
      refunded to the buyer.{appealUntil && ` ${describeAppeals(appealUntil, now)}`}
    </Notice>
  )
}

function describeAppeals(until: string, now: Date): string {
  if (isPast(until, now)) return `The parties could appeal until ${formatDateTime(until)}.`
  return `Both parties can appeal until ${formatDateTime(until)} (${describeTimeLeft(until, now)}).`
}

function NotImpartial() {
  return (
    <Notice tone="warning" title="You cannot resolve this dispute">
      You are a party to this payment. Another admin must handle it.
    </Notice>
  )
}

const isResolution = (value: string): value is Resolution => value in resolutionLabels

function ResolutionForm({ dispute, onResolved }: Omit<ResolutionTabProps, 'appealUntil'>) {
  const { amount } = dispute
  const [action, setAction] = useState<Resolution | ''>('')
  const [note, setNote] = useState('')
  const [refund, setRefund] = useState('')
  const [isConfirming, setIsConfirming] = useState(false)
  const [isSubmitted, setIsSubmitted] = useState(false)
  const { resolve, isPending } = useResolve(dispute)
  const typedCents = parseCents(refund)
  const refundCents = action === 'refund_partial' ? (typedCents ?? undefined) : undefined
  const outcome = action && previewRuling(action, dispute, refundCents)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsSubmitted(true)
    if (!action) {
      toast({
        title: 'Missing Information',
        description: 'Please select a resolution action',
        variant: 'destructive',
      })
    } else if (action === 'request_more_info') void send(action)
    else if (outcome) setIsConfirming(true)
  }
  async function send(chosen: Resolution): Promise<void> {
    const isDone = await resolve({ action: chosen, note, refundCents })
    setIsConfirming(false)
    if (isDone) onResolved()
  }
  return (
    <form
      noValidate
      aria-label="Resolution"
      onSubmit={submit}
      className="grid grid-cols-[minmax(0,1fr)] gap-5"
    >
      <Select
        label="Resolution action"
        placeholder="Select an action"
        options={toOptions(resolutionLabels)}
        value={action}
        error={isSubmitted && !action ? 'Please select a resolution action' : undefined}
        onChange={({ target }) => {
          if (isResolution(target.value)) setAction(target.value)
          setIsSubmitted(false)
        }}
      />
      {action === 'refund_partial' && (
        <RefundField
          text={refund}
          onText={setRefund}
          amount={amount}
          currency={dispute.currency}
          isSubmitted={isSubmitted}
        />
      )}
      <InsertReply
        values={{
          buyer: dispute.buyer.name,
          seller: dispute.seller.name,
          item: disputeTitle(dispute),
          amount: formatCents(amount, dispute.currency),
          transaction: dispute.transactionNumber,
        }}
        onInsert={(reply) => setNote((written) => appendReply(written, reply))}
      />
      <TextArea
        label="Notes"
        optional
        rows={3}
        maxLength={NOTE_MAX_LENGTH}
        hint={
          action === 'request_more_info'
            ? 'Say what you need and from whom. Both parties can read this.'
            : 'Explain your decision. Both parties can read this.'
        }
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      {outcome && <RulingSummary ruling={outcome} amountCents={amount} currency={dispute.currency} />}
      <Button type="submit" className="justify-self-start" busy={isPending}>
        Resolve Dispute
      </Button>
      {action && outcome && (
        <ConfirmResolution
          dispute={dispute}
          action={action}
          outcome={outcome}
          busy={isPending}
          open={isConfirming}
          onOpenChange={setIsConfirming}
          onConfirm={() => void send(action)}
        />
      )}
    </form>
  )
}

interface RefundFieldProps {
  text: string
  onText: (text: string) => void
  amount: number
  currency: Currency
  isSubmitted: boolean
}

function RefundField({ text, onText, amount, currency, isSubmitted }: RefundFieldProps) {
  const range = { minCents: 1, maxCents: amount - 1 }
  const isInvalid = !isInRange(range, parseCents(text))
  return (
    <TextField
      label="Refund amount"
      type="number"
      inputMode="decimal"
      min={0.01}
      step={0.01}
      autoFocus
      before={getCurrencySymbol(currency)}
      value={text}
      onChange={({ target }) => onText(target.value)}
      error={
        isInvalid && (isSubmitted || text !== '')
          ? `Enter an amount from ${formatCents(range.minCents, currency)} to ${formatCents(range.maxCents, currency)}`
          : undefined
      }
    />
  )
}

interface ConfirmResolutionProps {
  dispute: DeskDispute
  action: Resolution
  outcome: Ruling
  busy: boolean
  open: boolean
  onOpenChange: (open: boolean) => void
  onConfirm: () => void
}

/** A ruling moves money and cannot be undone, so it needs a confirmation. */
function ConfirmResolution({ dispute, action, outcome, ...dialog }: ConfirmResolutionProps) {
  return (
    <ConfirmDialog
      title={`${resolutionLabels[action]}?`}
      description="The money moves immediately and both parties are notified. This cannot be undone."
      confirmLabel="Confirm and Move the Money"
      {...dialog}
    >
      <RulingSummary ruling={outcome} amountCents={dispute.amount} currency={dispute.currency} />
    </ConfirmDialog>
  )
}
