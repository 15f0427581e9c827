import { paths } from '@sought/contract/paths'
import { type PaymentDetails, type PaymentWithItem, submitRating } from '@sought/contract/payments'
import { isReleasedByClock } from '@sought/escrow/delivery'
import { canMove } from '@sought/escrow/moves'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useAction } from '../../data/use-action.ts'
import { formatDate } from '../../format/dates.ts'
import { formatMoney } from '../../format/money.ts'
import { parseDelivery } from '../../shared/deals/deal-step.ts'
import { OwnDeal } from '../../shared/deals/own-deal.tsx'
import { PaymentProgress } from '../../shared/deals/payment-progress.tsx'
import { describeBankReview } from '../../shared/deals/payment-state.ts'
import { PaymentNotFound, PaymentUnavailable } from '../../shared/deals/payment-unavailable.tsx'
import { BackButton } from '../../shared/navigation/back-button.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { type DraftRating, getRatingPath } from '../../shared/reviews/rating-path.ts'
import { getReviewLink } from '../../shared/reviews/review-link.ts'
import { useTimeout } from '../../shared/time/use-timeout.ts'
import { DefinitionList } from '../../ui/display/definition-list.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { getDealRows } from './deal-rows.tsx'
import { DeliveryActions } from './delivery-actions.tsx'
import { hasRating, ratingOf, useDeliveryDraft } from './delivery-draft.ts'
import { HandoverCode } from './handover.tsx'

const RATING_REDIRECT_MS = 1_500

/** Where the buyer confirms delivery or reports a problem. */
export function DeliveryScreen() {
  return (
    <OwnDeal notFound={<PaymentNotFound />}>
      {({ deal, party }) =>
        party === 'buyer' ? <BuyerDelivery key={deal.id} payment={deal} /> : <NotTheBuyer />
      }
    </OwnDeal>
  )
}

function BuyerDelivery({ payment }: { payment: PaymentDetails }) {
  const draft = useDeliveryDraft(payment.buyer.id, payment.id)
  // Keeps the form unchanged while the confirmation is sent, because a live update may bring the new status before
  // the reply.
  const [confirming, setConfirming] = useState<PaymentDetails | null>(null)
  const { isConfirmed, openRating } = useOpenRating(payment, draft)
  if (isConfirmed) return <JustConfirmed payment={payment} />

  const shown = confirming ?? payment
  const isCompleted = shown.status === 'completed'
  const canConfirm = shown.status === 'pending' || canMove(shown.status, 'confirm', 'buyer')
  return (
    <Page
      title={isCompleted ? 'Delivery Already Confirmed' : canConfirm ? 'Confirm Delivery' : 'Delivery'}
      lead={isCompleted ? `The payment has been released to ${payment.seller.name}.` : undefined}
      back={<BackButton fallback={paths.messages()} />}
    >
      <div className="grid grid-cols-1 items-start gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <div className="grid gap-6">
          <DeliverySummary payment={shown} />
          {shown.handoverCode && <HandoverCode deal={shown} code={shown.handoverCode} />}
        </div>
        {isCompleted ? (
          <Confirmed payment={shown} />
        ) : (
          <DeliveryActions
            payment={shown}
            draft={draft}
            onConfirming={() => setConfirming(payment)}
            onAnswered={(isNowConfirmed) => {
              if (isNowConfirmed) openRating()
              setConfirming(null)
            }}
          />
        )}
      </div>
    </Page>
  )
}

/** Sends the buyer's rating, then opens the rating screen, which asks for one if none was sent. */
function useOpenRating(payment: PaymentWithItem, { draft, forget }: ReturnType<typeof useDeliveryDraft>) {
  const [, navigate] = useLocation()
  const startTimeout = useTimeout()
  const [isConfirmed, setIsConfirmed] = useState(false)
  const { run } = useAction(submitRating, {
    failure: { title: 'Your rating was not sent', description: 'You can send it on the next screen.' },
  })
  const openRating = async () => {
    setIsConfirmed(true)
    const entered = ratingOf(draft)
    const isSent = hasRating(draft) && (await run({ params: { id: String(payment.id) }, body: entered }))
    if (isSent || !hasRating(draft)) forget()
    const state: DraftRating = { ...entered, isSent }
    startTimeout(() => navigate(getRatingPath(payment), { state }), RATING_REDIRECT_MS)
  }
  return { isConfirmed, openRating: () => void openRating() }
}

function JustConfirmed({ payment }: { payment: PaymentWithItem }) {
  return (
    <Page
      title="Thank you for confirming"
      lead={`${formatMoney(payment.amount, payment.currency)} goes to ${payment.seller.name}. Opening the rating...`}
      back={<BackButton fallback={paths.messages()} />}
    >
      <DeliverySummary payment={payment} />
    </Page>
  )
}

function NotTheBuyer() {
  return (
    <PaymentUnavailable title="Access Denied">
      Only the buyer can confirm delivery for this payment.
    </PaymentUnavailable>
  )
}

function Confirmed({ payment }: { payment: PaymentWithItem }) {
  const bankReview = describeBankReview(payment, 'buyer')
  const review = getReviewLink(payment, 'buyer')
  return (
    <div className="grid gap-4">
      {bankReview && <Notice tone="warning">{bankReview}</Notice>}
      <p className="text-ink-soft">
        {payment.rated && 'You have rated this seller. There is nothing left to do.'}
        {review && 'How was it? Your rating helps other buyers.'}
      </p>
      <div className="flex flex-wrap gap-3">
        {review && <LinkButton to={review.to}>{review.label}</LinkButton>}
        <LinkButton to={paths.home()} variant="secondary">
          Back to Home
        </LinkButton>
      </div>
    </div>
  )
}

function DeliverySummary({ payment }: { payment: PaymentWithItem }) {
  const { wantedItem, status, escrowHoldUntil, completedAt } = payment
  const rows = getDealRows(payment, 'buyer')
  return (
    <Card padding="lg" className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PaymentProgress payment={payment} />
      <DefinitionList
        rows={[
          {
            label: 'Item',
            value: (
              <Link href={paths.item(wantedItem.id)} className="link [overflow-wrap:anywhere]">
                {wantedItem.title}
              </Link>
            ),
          },
          rows.person,
          rows.amount,
          rows.status,
          rows.number,
          rows.delivery,
          status === 'held_in_escrow' &&
            escrowHoldUntil &&
            isReleasedByClock(parseDelivery(payment)) && {
              label: 'Auto-release',
              value: formatDate(escrowHoldUntil),
            },
          completedAt && { label: 'Released', value: formatDate(completedAt) },
        ]}
      />
      <Link href={paths.deal(payment.id)} className="link justify-self-start">
        View the whole deal
      </Link>
    </Card>
  )
}
