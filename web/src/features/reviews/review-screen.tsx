import { PathId } from '@sought/contract/fields'
import { paths } from '@sought/contract/paths'
import { getPayment, type PaymentDetails } from '@sought/contract/payments'
import { REVIEW_TEXT_MAX_LENGTH, type ReviewTag, reviewPayment } from '@sought/contract/reviews'
import { partyIn } from '@sought/escrow/moves'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { Link, useParams } from 'wouter'
import { useRead } from '../../data/calls.ts'
import { useSession } from '../../data/session.ts'
import { explainFailure, useAction } from '../../data/use-action.ts'
import { formatDate } from '../../format/dates.ts'
import { formatCents } from '../../format/money.ts'
import type { Party } from '../../shared/deals/payment-status.ts'
import { ErrorPage, LinkButton } from '../../shared/loading/error-page.tsx'
import { Loaded } from '../../shared/loading/loaded.tsx'
import { BackButton } from '../../shared/navigation/back-button.tsx'
import { Money } from '../../ui/display/money.tsx'
import { StarsInput } from '../../ui/display/stars.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { TagsInput } from './tags-input.tsx'

const MISSING_STARS = 'Please select a star rating before submitting.'

interface Props {
  deal: PaymentDetails
  party: Party
}

/** A review of the other person in a deal that has ended. */
export function ReviewScreen() {
  const { paymentId } = useParams<{ paymentId: string }>()
  const isId = PathId.safeParse(paymentId).success
  const deal = useRead(getPayment, { params: { id: paymentId } }, { enabled: isId })
  const session = useSession()
  if (!isId) return <DealNotFound />
  return (
    <Loaded
      query={deal}
      loading={<ReviewSkeleton />}
      notFound={<DealNotFound />}
      errorTitle="The deal could not be loaded"
    >
      {(it) => {
        const party = session.state === 'signed-in' ? partyIn(it, session.user.id) : null
        return party ? <Review key={it.id} deal={it} party={party} /> : <DealNotFound />
      }}
    </Loaded>
  )
}

function Review({ deal, party }: Props) {
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
  return <ReviewForm deal={deal} party={party} until={until} isAwaited={otherHasReviewed} onSent={setSent} />
}

interface FormProps extends Props {
  until: string
  /** Whether the other person has written a review, which waits for this one. */
  isAwaited: boolean
  onSent: (sent: { published: boolean }) => void
}

function ReviewForm({ deal, party, until, isAwaited, onSent }: FormProps) {
  const other = otherOf(deal, party)
  const [rating, setRating] = useState(0)
  const [tags, setTags] = useState<ReviewTag[]>([])
  const [text, setText] = useState('')
  const [isMissingStars, setIsMissingStars] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const { run, isPending } = useAction(reviewPayment, {
    success: { title: 'Review submitted' },
    failure: explainFailure('Your review was not submitted'),
    onDone: onSent,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsMissingStars(rating === 0)
    if (rating > 0) void run({ params: { id: String(deal.id) }, body: { rating, tags, text } })
    // Screen readers then read the error together with the stars.
    else form.current?.querySelector<HTMLElement>('input[type=radio]')?.focus()
  }
  return (
    <Page
      title={`Review ${other.name}`}
      lead="Everyone can see your rating and what you write. You cannot change it later."
      back={<BackButton fallback={paths.deal(deal.id)} />}
      width="column"
    >
      <Card padding="lg" className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <DealSummary deal={deal} />
        <Notice title={isAwaited ? `${other.name} has already reviewed you` : undefined}>
          {isAwaited
            ? 'Both reviews become public as soon as you submit yours.'
            : `Your review stays hidden until ${other.name} has written one too, or until ${formatDate(until)}.`}{' '}
          You can review this deal until {formatDate(until)}.
        </Notice>
        <form ref={form} noValidate aria-label="Review" onSubmit={submit} className="grid gap-6">
          <StarsInput
            label="Your rating"
            value={rating}
            onValueChange={(stars) => {
              setRating(stars)
              setIsMissingStars(false)
            }}
            error={isMissingStars ? MISSING_STARS : undefined}
          />
          <TagsInput about={party === 'buyer' ? 'seller' : 'buyer'} value={tags} onValueChange={setTags} />
          <TextArea
            label="Review"
            optional
            maxLength={REVIEW_TEXT_MAX_LENGTH}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" busy={isPending}>
              Submit Review
            </Button>
            <Button asChild variant="quiet">
              <Link href={paths.deal(deal.id)}>Not now</Link>
            </Button>
          </div>
        </form>
      </Card>
    </Page>
  )
}

function Outcome({ deal, party, title, children }: Props & { title: string; children: ReactNode }) {
  const other = otherOf(deal, party)
  return (
    <Page title={title} lead={children} back={<BackButton fallback={paths.deal(deal.id)} />} width="column">
      <div className="flex flex-wrap gap-3">
        <LinkButton to={paths.deal(deal.id)}>View Deal</LinkButton>
        <Button asChild variant="secondary">
          <Link href={paths.user(other.id)}>View Profile</Link>
        </Button>
      </div>
    </Page>
  )
}

function DealSummary({ deal }: Pick<Props, 'deal'>) {
  return (
    <div className="flex items-start justify-between gap-4 border-line border-b pb-5">
      <p className="min-w-0 font-strong [overflow-wrap:anywhere]">{deal.wantedItem.title}</p>
      <Money amount={formatCents(deal.amount, deal.currency)} size="lead" />
    </div>
  )
}

const otherOf = ({ buyer, seller }: PaymentDetails, party: Party) => (party === 'buyer' ? seller : buyer)

function DealNotFound() {
  return (
    <ErrorPage title="Deal not found" action={<LinkButton to={paths.payments()}>My Transactions</LinkButton>}>
      This deal does not exist, or you take no part in it.
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
