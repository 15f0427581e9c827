import { paths } from '@sought/contract/paths'
import type { PaymentDetails } from '@sought/contract/payments'
import type { ReactNode } from 'react'
import { formatMoney } from '../../format/money.ts'
import type { DealProps } from '../../shared/deals/own-deal.tsx'
import { describeBankReview } from '../../shared/deals/payment-state.ts'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { refundTimes } from '../../shared/policies/policy-figures.ts'
import { Notice } from '../../ui/feedback/notice.tsx'

/** A party's next step in words, above the controls for it. */
export function StepText({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h2 className="font-display font-strong text-title [overflow-wrap:anywhere]">{title}</h2>
      <p className="mt-1 text-ink-soft [overflow-wrap:anywhere]">{children}</p>
    </div>
  )
}

/** The reason given by the party who cancelled or asked for it. */
export function CancelReason({ deal }: { deal: PaymentDetails }) {
  return (
    <blockquote className="border-line-strong border-l-2 pl-4 whitespace-pre-line [overflow-wrap:anywhere]">
      {deal.cancelReason}
    </blockquote>
  )
}

/** The payment may be fraud, so the buyer cannot release it yet. */
export function CheckNotice() {
  return (
    <Notice tone="warning" title="We are checking this payment">
      You can confirm the delivery once we are done. The money stays in escrow until then.
    </Notice>
  )
}

export function RefundedStep({ deal, party }: DealProps) {
  const amount = formatMoney(deal.amount, deal.currency)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <StepText title={deal.cancelledBy ? 'This deal was cancelled' : 'The request was already paid'}>
        {party === 'seller'
          ? `${deal.buyer.name} gets ${amount} back. Please don’t deliver the item.`
          : `You get ${amount} back on your card. Your bank may take ${refundTimes.card} to show it.`}
        {party === 'buyer' &&
          deal.refundPending &&
          ' It is on its way, and your bank has not confirmed it yet.'}
        {party === 'buyer' && deal.cancelledBy && ' Your request is open again for other offers.'}
      </StepText>
      {deal.cancelReason && <CancelReason deal={deal} />}
    </div>
  )
}

export function DisputedStep({ deal, party }: DealProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-5">
      <StepText title="There is a dispute about this deal">
        {describeBankReview(deal, party) ??
          'The page of the dispute shows its state and what both of you say.'}
      </StepText>
      <LinkButton to={paths.dispute(deal.id)}>View Dispute</LinkButton>
    </div>
  )
}
