import { paths } from '@sought/contract/paths'
import type { PaymentWithItem } from '@sought/contract/payments'
import { canMove } from '@sought/escrow/moves'
import type { ReactNode } from 'react'
import { getDealStep } from '../../shared/deals/deal-step.ts'
import { hasDispute } from '../../shared/deals/payment-state.ts'
import { isDraft, type Party } from '../../shared/deals/payment-status.ts'
import { LinkButton } from '../../shared/navigation/link-button.tsx'
import { getReviewLink } from '../../shared/reviews/review-link.ts'

/** Links to the buyer's next steps with a payment. */
export function BuyerActions({ payment }: { payment: PaymentWithItem }) {
  const { id, status, wantedItemId: itemId, offerId, amount } = payment
  return (
    <div className="flex flex-wrap gap-3 empty:hidden md:grid">
      {status === 'completed' && <ReviewAction payment={payment} party="buyer" />}
      {status !== 'pending' && <StepActions deal={payment} party="buyer" />}
      {status === 'pending' && (
        <>
          <Action to={paths.escrowCheckout({ itemId, offerId, amount })}>Complete Payment</Action>
          {!isDraft(payment) && (
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

export function ReviewAction({ payment, party }: { payment: PaymentWithItem; party: Party }) {
  const link = getReviewLink(payment, party)
  return link && <Action to={link.to}>{link.label}</Action>
}

/** The next step of a deal as one button, and the page of the deal. */
export function StepActions({ deal, party }: { deal: PaymentWithItem; party: Party }) {
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
