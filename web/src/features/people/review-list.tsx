import { paths } from '@sought/contract/paths'
import type { PublicProfile } from '@sought/contract/people'
import { listReviews, type Review, type ReviewedAs } from '@sought/contract/reviews'
import { lazy, Suspense, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { useReadPages } from '../../data/calls.ts'
import { useSession } from '../../data/session.ts'
import { PagedList } from '../../shared/loading/paged-list.tsx'
import { PersonLink } from '../../shared/people/person-link.tsx'
import { ReportButton } from '../../shared/reports/report-button.tsx'
import { tagLabels } from '../../shared/reviews/review-tags.ts'
import { useDate } from '../../shared/time/use-date.ts'
import { classNames } from '../../ui/base/class-names.ts'
import { Avatar } from '../../ui/display/avatar.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Stars } from '../../ui/display/stars.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Button } from '../../ui/forms/button.tsx'

const PAGE_SIZE = 12

const roles = [
  { as: 'seller', label: 'As a seller' },
  { as: 'buyer', label: 'As a buyer' },
] as const

interface Props {
  person: PublicProfile
  isMe: boolean
}

/** The published reviews of a person in one role, and the averages of both. */
export function Reviews({ person, isMe }: Props) {
  const [query] = useSearchParams()
  const isEmptySeller = person.asSeller.count === 0 && person.asBuyer.count > 0
  const asked = roles.find(({ as }) => as === query.get('as'))?.as
  const as = asked ?? (isEmptySeller ? 'buyer' : 'seller')
  return (
    <section aria-label="Reviews" className="max-w-column">
      <h2 className="mb-3 font-display font-strong text-title">Reviews</h2>
      <nav aria-label="Reviews by role" className="mb-5 grid grid-cols-2 gap-3">
        {roles.map((role) => (
          <RoleLink key={role.as} {...role} person={person} isCurrent={role.as === as} />
        ))}
      </nav>
      <ReviewList key={as} person={person} as={as} isMe={isMe} />
    </section>
  )
}

interface RoleLinkProps extends Pick<Props, 'person'> {
  as: ReviewedAs
  label: string
  isCurrent: boolean
}

function RoleLink({ as, label, person, isCurrent }: RoleLinkProps) {
  const { rating, count } = as === 'seller' ? person.asSeller : person.asBuyer
  return (
    <Link
      href={paths.user(person.id, { as })}
      replace
      aria-current={isCurrent || undefined}
      className={classNames(
        'grid gap-1 rounded-card border px-4 py-3 text-ink no-underline transition-colors duration-150',
        isCurrent ? 'border-ink bg-paper' : 'border-line-strong hover:border-ink',
      )}
    >
      <span className="font-strong">{label}</span>
      <Stars value={count === 0 ? null : rating} count={count} />
    </Link>
  )
}

function ReviewList({ person, as, isMe }: Props & { as: ReviewedAs }) {
  const cursor = useSearchParams()[0].get('reviews') ?? undefined
  const reviews = useReadPages(
    listReviews,
    { limit: String(PAGE_SIZE), as, cursor },
    { params: { id: person.id } },
  )
  return (
    <PagedList
      pages={reviews}
      loading={<Skeleton className="h-40" />}
      empty={
        <p className="text-ink-soft">
          {as === 'seller' ? 'No reviews as a seller yet.' : 'No reviews as a buyer yet.'}
        </p>
      }
      firstPage={paths.user(person.id, { as })}
      more={{
        href: paths.user(person.id, { as, reviews: reviews.nextCursor }),
        label: 'Show more reviews',
      }}
      className="border-line border-t"
    >
      {(review) => (
        <li key={review.id} className="border-line border-b py-4">
          <ReviewEntry review={review} name={person.name} canReply={isMe} />
        </li>
      )}
    </PagedList>
  )
}

function ReviewEntry({ review, name, canReply }: { review: Review; name: string; canReply: boolean }) {
  const { by, rating, tags, text, itemTitle, reply, createdAt, notCounted } = review
  const date = useDate(createdAt)
  const session = useSession()
  const isOwn = session.state === 'signed-in' && session.user.id === by.id
  return (
    <article className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
      <Avatar name={by.name} imageUrl={by.profileImageUrl} />
      <div className="grid grid-cols-1 gap-2">
        <p className="flex flex-wrap items-center justify-between gap-x-4">
          <PersonLink person={by} />
          <Stars value={rating} />
        </p>
        {text && <p className="whitespace-pre-line [overflow-wrap:anywhere]">{text}</p>}
        {tags.length > 0 && (
          <ul aria-label="What stood out" className="flex flex-wrap gap-1.5">
            {tags.map((tag) => (
              <li key={tag}>
                <Badge>{tagLabels[tag]}</Badge>
              </li>
            ))}
          </ul>
        )}
        <p className="flex flex-wrap items-center justify-between gap-x-4 text-fine text-ink-soft">
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {itemTitle} · {date}
            {notCounted && ' · Not counted in the rating'}
          </span>
          {!isOwn && <ReportButton look="text" target={{ kind: 'review', id: review.id }} />}
        </p>
        {reply && <Reply name={name} reply={reply} />}
        {!reply && canReply && <ReplyButton review={review} />}
      </div>
    </article>
  )
}

function Reply({ name, reply }: { name: string; reply: NonNullable<Review['reply']> }) {
  return (
    <div className="mt-1 border-line-strong border-l-2 pl-4">
      <p className="text-fine text-ink-soft [overflow-wrap:anywhere]">
        Reply of {name} · {useDate(reply.createdAt)}
      </p>
      <p className="whitespace-pre-line [overflow-wrap:anywhere]">{reply.text}</p>
    </div>
  )
}

const ReplyForm = lazy(() => import('./reply-form.tsx'))

function ReplyButton({ review }: { review: Review }) {
  const [isOpen, setIsOpen] = useState(false)
  if (!isOpen)
    return (
      <Button variant="quiet" size="sm" className="justify-self-start" onClick={() => setIsOpen(true)}>
        Reply
      </Button>
    )
  return (
    <Suspense>
      <ReplyForm review={review} onClose={() => setIsOpen(false)} />
    </Suspense>
  )
}
