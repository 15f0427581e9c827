import { paths } from '@sought/contract/paths'
import type { PaymentWithItem } from '@sought/contract/payments'
import type { Payout } from '@sought/contract/sellers'
import { canMove } from '@sought/escrow/moves'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatDate } from '../../format/dates.ts'
import { formatMoney } from '../../format/money.ts'
import { getDealStep } from '../../shared/deals/deal-step.ts'
import { PaymentProgress } from '../../shared/deals/payment-progress.tsx'
import { describeBankReview, describeRelease, hasDispute } from '../../shared/deals/payment-state.ts'
import {
  getPaymentLabel,
  isDraft,
  isWaiting,
  type Party,
  paymentTones,
} from '../../shared/deals/payment-status.ts'
import { PayoutBreakdown } from '../../shared/deals/payout-breakdown.tsx'
import { TransactionNumber } from '../../shared/deals/transaction-number.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { PersonLink } from '../../shared/people/person-link.tsx'
import { getReviewLink } from '../../shared/reviews/review-link.ts'
import { Avatar } from '../../ui/display/avatar.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Money } from '../../ui/display/money.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Card } from '../../ui/layout/card.tsx'

interface TransactionCardProps {
  payment: PaymentWithItem
  userId: string
  payout: Payout | undefined
}

/** A payment as its buyer or its seller sees it. */
export function TransactionCard({ payment, userId, payout }: TransactionCardProps) {
  const isBuyer = payment.buyerId === userId
  const party: Party = isBuyer ? 'buyer' : 'seller'
  const bankReview = describeBankReview(payment, party)
  return (
    <Card asChild>
      <article className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <Head payment={payment} isBuyer={isBuyer} />
        {isBuyer && payment.refundFailedAt && (
          <Notice tone="warning" title="Your refund did not reach your card">
            Your bank returned it to us. Our team will contact you or try again.
          </Notice>
        )}
        {isBuyer && payment.refundPending && (
          <Notice title="Your refund is on its way">Your bank has not confirmed it yet.</Notice>
        )}
        {payment.refundedAmount > 0 && payment.status === 'completed' && (
          <Notice>{formatMoney(payment.refundedAmount, payment.currency)} was refunded to the buyer.</Notice>
        )}
        {payment.status === 'refunded' && <RefundedNotice payment={payment} isBuyer={isBuyer} />}
        {bankReview && <Notice tone="warning">{bankReview}</Notice>}
        <div className="grid items-start gap-x-10 gap-y-5 md:grid-cols-[minmax(0,1fr)_18rem]">
          <PaymentProgress
            payment={payment}
            reader={party}
            note={describeRelease(payment, party)}
            className="max-w-column"
          />
          {isBuyer ? <BuyerActions payment={payment} /> : <SellerActions payment={payment} payout={payout} />}
        </div>
      </article>
    </Card>
  )
}

function SellerActions({ payment, payout }: { payment: PaymentWithItem; payout: Payout | undefined }) {
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap gap-3 md:grid">
        <ReviewAction payment={payment} party="seller" />
        <StepActions deal={payment} party="seller" />
      </div>
      <PayoutBreakdown payment={payment} payout={payout} />
    </div>
  )
}

/** The deal was cancelled, or this is the later of two payments for one request (ADR 49). */
function RefundedNotice({ payment, isBuyer }: { payment: PaymentWithItem; isBuyer: boolean }) {
  return (
    <Notice title={payment.cancelledBy ? 'The deal was cancelled' : 'The request was already paid'}>
      {isBuyer
        ? 'So we refunded this payment to your card. Your bank may take 3-5 business days to show it.'
        : 'So the buyer gets this payment back. Please don’t ship.'}
    </Notice>
  )
}

function Head({ payment, isBuyer }: { payment: PaymentWithItem; isBuyer: boolean }) {
  const { wantedItem, status } = payment
  const other = isBuyer ? payment.seller : payment.buyer
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="grid min-w-0 grow basis-64 grid-cols-[minmax(0,1fr)] gap-2">
        <div className="flex flex-wrap items-center gap-2 text-fine text-ink-soft">
          <Badge tone={isBuyer ? 'neutral' : 'outline'}>{isBuyer ? 'Buyer' : 'Seller'}</Badge>
          <span>{formatDate(payment.createdAt)}</span>
          <TransactionNumber value={payment.transactionNumber} />
        </div>
        <h3 className="font-display font-strong text-lead [overflow-wrap:anywhere]">
          <Link href={paths.item(wantedItem.id)} className="text-ink no-underline hover:underline">
            {wantedItem.title}
          </Link>
        </h3>
        <p className="flex items-center gap-2 text-ink-soft">
          <Avatar name={other.name} imageUrl={other.profileImageUrl} size="sm" />
          <span className="min-w-0 truncate">
            {isBuyer ? 'Bought from' : 'Sold to'} <PersonLink person={other} />
          </span>
          <span aria-hidden="true">·</span>
          <Link href={paths.messages({ itemId: wantedItem.id, userId: other.id })} className="link shrink-0">
            Messages
          </Link>
        </p>
      </div>
      <div className="flex items-center gap-3 sm:grid sm:justify-items-end sm:gap-1.5">
        <Money amount={formatMoney(payment.amount, payment.currency)} size="title" />
        <Badge tone={paymentTones[status]}>{getPaymentLabel(payment, isBuyer ? 'buyer' : 'seller')}</Badge>
      </div>
    </header>
  )
}

/** Links to the buyer's next steps with a payment. */
function BuyerActions({ payment }: { payment: PaymentWithItem }) {
  const { id, status, wantedItemId: itemId, offerId, amount } = payment
  return (
    <div className="flex flex-wrap gap-3 empty:hidden md:grid">
      {status === 'completed' && <ReviewAction payment={payment} party="buyer" />}
      {status !== 'pending' && <StepActions deal={payment} party="buyer" />}
      {status === 'pending' && (
        <>
          {(!isWaiting(payment) || payment.waitsFor === 'buyer') && (
            <Action to={paths.escrowCheckout({ itemId, offerId, amount })}>Complete Payment</Action>
          )}
          {!isDraft(payment) && !isWaiting(payment) && (
            <Action to={paths.delivery(id)} variant="quiet">
              Already received it?
            </Action>
          )}
        </>
      )}
      {canMove(status, 'dispute', 'buyer') && (
        <Action to={paths.disputeReport({ paymentId: id })} variant="secondary">
          Report Issue
        </Action>
      )}
      {hasDispute(payment) && (
        <Action to={paths.dispute(id)} variant="secondary">
          View Dispute
        </Action>
      )}
      {status !== 'pending' && (
        <Action to={paths.receipt(id)} variant="quiet">
          Receipt
        </Action>
      )}
    </div>
  )
}

function ReviewAction({ payment, party }: { payment: PaymentWithItem; party: Party }) {
  const link = getReviewLink(payment, party)
  return link && <Action to={link.to}>{link.label}</Action>
}

/** The next step of a deal as one button, and the page of the deal. */
function StepActions({ deal, party }: { deal: PaymentWithItem; party: Party }) {
  const { label, to, isWaiting } = getDealStep(deal, party)
  const dealPath = paths.deal(deal.id)
  return (
    <>
      <Action to={to} variant={isWaiting ? 'primary' : 'secondary'}>
        {label}
      </Action>
      {to !== dealPath && (
        <Action to={dealPath} variant="secondary">
          View Deal
        </Action>
      )}
    </>
  )
}

interface ActionProps {
  to: string
  variant?: 'primary' | 'secondary' | 'quiet'
  children: ReactNode
}

function Action({ to, variant = 'primary', children }: ActionProps) {
  return (
    <LinkButton to={to} variant={variant} size="sm">
      {children}
    </LinkButton>
  )
}
