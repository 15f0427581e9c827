import { rulesOf } from '@sought/contract/currencies'
import type { Dispute } from '@sought/contract/disputes'
import { calculateRuling } from '@sought/escrow/rulings'
import { formatDate, formatDateTime } from '../../format/dates.ts'
import { formatMoney } from '../../format/money.ts'
import { describeTimeLeft, isPast } from '../../format/time-left.ts'
import { PaymentProgress } from '../../shared/deals/payment-progress.tsx'
import { TransactionNumber } from '../../shared/deals/transaction-number.tsx'
import { isResolved } from '../../shared/disputes/dispute-status.ts'
import { RulingSummary } from '../../shared/disputes/ruling-summary.tsx'
import { useNow } from '../../shared/time/use-now.ts'
import { DefinitionList } from '../../ui/display/definition-list.tsx'
import { Money } from '../../ui/display/money.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Card } from '../../ui/layout/card.tsx'

interface DisputeSummaryProps {
  dispute: Dispute
  party: 'buyer' | 'seller'
}

/** The status of the dispute and what happens next. */
export function DisputeNotice({ dispute, party }: DisputeSummaryProps) {
  if (dispute.bankDecides) {
    return (
      <Notice tone="warning" title="The bank is reviewing this payment">
        {party === 'buyer' ? 'Your bank' : 'The buyer’s bank'} decides about this payment. We cannot decide
        until then. Statements and evidence that you add now help us to answer the bank.
      </Notice>
    )
  }
  switch (dispute.status) {
    case 'disputed':
      return (
        <Notice tone="danger" title="In dispute">
          We review new disputes within 24 hours. The money stays in escrow until the dispute is resolved.{' '}
          {party === 'seller' && 'Add your statement and your evidence below.'}
          <PromisedTime dispute={dispute} />
        </Notice>
      )
    case 'under_review':
      return (
        <Notice tone="warning" title="Under review">
          Our team is reviewing what both of you submitted. If we need more information, we ask for it in the
          timeline.
          <PromisedTime dispute={dispute} />
        </Notice>
      )
    case 'resolved_seller':
      return (
        <Notice tone={party === 'seller' ? 'success' : 'info'} title="Decided for the seller">
          The payment was released to {party === 'seller' ? 'you' : dispute.seller.name}, minus fees. The
          dispute is closed.
        </Notice>
      )
    default:
      return (
        <Notice
          tone="success"
          title={dispute.status === 'resolved_buyer' ? 'Decided for the buyer' : 'Split between you'}
        >
          <RefundText dispute={dispute} party={party} />
        </Notice>
      )
  }
}

function RefundText({ dispute, party }: DisputeSummaryProps) {
  const amount = formatMoney(dispute.refundCents ?? 0, dispute.currency)
  const card = party === 'buyer' ? 'your card' : 'the buyer’s card'
  if (dispute.refundPending) {
    return `${amount} is on its way to ${card}. The bank has not confirmed it yet.`
  }
  if (dispute.refundedAt) {
    return `${amount} was refunded to ${card} on ${formatDate(dispute.refundedAt)}. The bank may take 3-5 business days to show it.`
  }
  if (dispute.refundFailedAt) {
    return `${amount} did not reach ${card}. Our team will ${party === 'buyer' ? 'contact you' : 'contact the buyer'} or try again.`
  }
  return `${amount} is being refunded to ${card}.`
}

export function DisputeMoney({ dispute, party }: DisputeSummaryProps) {
  const { amount, refundCents } = dispute
  const decided = isResolved(dispute) ? rulingOf(dispute, refundCents ?? 0) : null
  return (
    <Card className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Money amount={formatMoney(amount, dispute.currency)} what="Paid into escrow" size="heading" />
      <PaymentProgress payment={dispute} reader={party} />
      <DefinitionList
        stacked
        className="text-fine"
        rows={[
          { label: 'Transaction number', value: <TransactionNumber value={dispute.transactionNumber} /> },
        ]}
      />
      {decided && <RulingSummary ruling={decided} of={dispute} reader={party} isFinal />}
    </Card>
  )
}

function rulingOf(dispute: Dispute, refundCents: number) {
  const { amount } = dispute
  if (refundCents === 0) return calculateRuling('release_seller', amount, dispute, rulesOf(dispute.currency))
  return refundCents === amount
    ? calculateRuling('refund_full', amount, dispute, rulesOf(dispute.currency))
    : calculateRuling('refund_partial', amount, dispute, rulesOf(dispute.currency), refundCents)
}

/** The promised time of our next step. Says so if it has passed. */
function PromisedTime({ dispute: { dueAt, status } }: { dispute: Dispute }) {
  const now = useNow()
  if (dueAt === null) return null
  const isAnswered = status !== 'disputed'
  const step = isAnswered ? 'decide' : 'answer'
  const due = formatDateTime(dueAt)
  return (
    <p className="mt-2 font-strong">
      {isPast(dueAt, now)
        ? `We promised to ${step} by ${due}. We are late, and we are sorry. Our team has been reminded.`
        : `We will ${step} by ${due} (${describeTimeLeft(dueAt, now)}).`}
    </p>
  )
}
