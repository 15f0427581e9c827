import { paths } from '@sought/contract/paths'
import type { PaymentDetails } from '@sought/contract/payments'
import { NewReview, reviewPayment } from '@sought/contract/reviews'
import { type ReactNode, useState } from 'react'
import { explainFailure } from '../../data/use-action.ts'
import { formatDate } from '../../format/dates.ts'
import { formatMoney } from '../../format/money.ts'
import { type DealProps, OwnDeal } from '../../shared/deals/own-deal.tsx'
import type { Party } from '../../shared/deals/payment-status.ts'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { ErrorPage } from '../../shared/loading/error-page.tsx'
import { BackButton } from '../../shared/navigation/back-button.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { ReviewedDeal } from './reviewed-deal.tsx'
import { WriteReview } from './write-review.tsx'

/** A review of the other person in a deal that has ended. */
export function ReviewScreen() {
  return (
    <OwnDeal
      loading={<ReviewSkeleton />}
      notFound={<DealNotFound />}
      errorTitle="The deal could not be loaded"
    >
      {(props) => <Review key={props.deal.id} {...props} />}
    </OwnDeal>
  )
}

function Review({ deal, party }: DealProps) {
  const [sent, setSent] = useState<{ published: boolean } | null>(null)
  const other = otherOf(deal, party)
  const until = deal.reviewUntil
  const hasReviewed = party === 'buyer' ? deal.rated : deal.reviewedBySeller
  const otherHasReviewed = party === 'buyer' ? deal.reviewedBySeller : deal.rated
  const isPublished = sent?.published ?? (hasReviewed && otherHasReviewed)
  if (!until)
    return (
      <Outcome deal={deal} party={party} title="Not yet">
        You can review {other.name} once the deal has ended.
      </Outcome>
    )
  if (sent || hasReviewed)
    return (
      <Outcome deal={deal} party={party} title="Thank you!">
        {isPublished
          ? `Your review of ${other.name} is public, and so is theirs of you.`
          : `Your review of ${other.name} becomes public once they have written theirs, or on ${formatDate(until)}.`}
      </Outcome>
    )
  if (new Date(until) <= new Date())
    return (
      <Outcome deal={deal} party={party} title="Reviews are closed">
        This deal could be reviewed until {formatDate(until)}.
      </Outcome>
    )
  return <OpenReview deal={deal} party={party} until={until} isAwaited={otherHasReviewed} onSent={setSent} />
}

interface OpenReviewProps extends DealProps {
  until: string
  /** Whether the other person has written a review, which waits for this one. */
  isAwaited: boolean
  onSent: (sent: { published: boolean }) => void
}

function OpenReview({ deal, party, until, isAwaited, onSent }: OpenReviewProps) {
  const other = otherOf(deal, party)
  const form = useContractForm(reviewPayment, {
    schema: NewReview,
    values: { rating: 0, tags: [], text: '' },
    input: (body) => ({ params: { id: String(deal.id) }, body }),
    success: { title: 'Review submitted' },
    failure: explainFailure('Your review was not submitted'),
    onDone: onSent,
  })
  return (
    <WriteReview
      title={`Review ${other.name}`}
      lead="Everyone can see your rating and what you write. You cannot change it later."
      name="Review"
      textLabel="Review"
      about={party === 'buyer' ? 'seller' : 'buyer'}
      form={form}
      laterPath={paths.deal(deal.id)}
    >
      <ReviewedDeal itemTitle={deal.wantedItem.title} amount={formatMoney(deal.amount, deal.currency)} />
      <Notice title={isAwaited ? `${other.name} has already reviewed you` : undefined}>
        {isAwaited
          ? 'Both reviews become public as soon as you submit yours.'
          : `Your review stays hidden until ${other.name} has written one too, or until ${formatDate(until)}.`}{' '}
        You can review this deal until {formatDate(until)}.
      </Notice>
    </WriteReview>
  )
}

function Outcome({ deal, party, title, children }: DealProps & { title: string; children: ReactNode }) {
  const other = otherOf(deal, party)
  return (
    <Page title={title} lead={children} back={<BackButton fallback={paths.deal(deal.id)} />} width="column">
      <div className="flex flex-wrap gap-3">
        <LinkButton to={paths.deal(deal.id)}>View Deal</LinkButton>
        <LinkButton to={paths.user(other.id)} variant="secondary">
          View Profile
        </LinkButton>
      </div>
    </Page>
  )
}

const otherOf = ({ buyer, seller }: PaymentDetails, party: Party) => (party === 'buyer' ? seller : buyer)

function DealNotFound() {
  return (
    <ErrorPage title="Deal not found" action={<LinkButton to={paths.payments()}>My Transactions</LinkButton>}>
      This deal does not exist, or you are not the buyer or the seller.
    </ErrorPage>
  )
}

function ReviewSkeleton() {
  return (
    <Page title="Review" heading={null} width="column">
      <div role="status" aria-label="Loading...">
        <Skeleton className="h-96" />
      </div>
    </Page>
  )
}
