import type { ReplyOf } from '@sought/contract/call'
import { paths } from '@sought/contract/paths'
import { listFeedback } from '@sought/contract/people'
import { useSearchParams } from 'wouter'
import { useReadPages } from '../../lib/calls.ts'
import { ListError } from '../../lib/list-error.tsx'
import { PAGE_DATA_FRESH_MS } from '../../lib/page-data.ts'
import { PersonLink } from '../../lib/person-link.tsx'
import { useDate } from '../../lib/use-date.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Stars } from '../../ui/stars.tsx'

type Feedback = ReplyOf<typeof listFeedback>[number]

const PAGE_SIZE = 12

/** Feedback that the person received as a seller. */
export function FeedbackList({ personId }: { personId: string }) {
  const cursor = useSearchParams()[0].get('feedback') ?? undefined
  const feedback = useReadPages(
    listFeedback,
    { limit: String(PAGE_SIZE), cursor },
    { staleMs: PAGE_DATA_FRESH_MS, params: { id: personId }, idOf: ({ paymentId }) => paymentId },
  )
  return (
    <section aria-label="Feedback" className="max-w-column">
      <h2 className="mb-3 font-display font-strong text-title">Feedback</h2>
      {feedback.isPending && <Skeleton className="h-40" />}
      {feedback.isError && !feedback.data && <ListError query={feedback} firstPage={paths.user(personId)} />}
      {feedback.data?.length === 0 && <p className="text-ink-soft">No feedback yet.</p>}
      {feedback.data && feedback.data.length > 0 && (
        <ul className="border-line border-t">
          {feedback.data.map((entry) => (
            <li key={entry.paymentId} className="border-line border-b py-4">
              <FeedbackEntry entry={entry} />
            </li>
          ))}
        </ul>
      )}
      <LoadMore
        hasMore={feedback.hasNextPage}
        busy={feedback.isFetchingNextPage}
        onMore={() => void feedback.fetchNextPage()}
        href={paths.user(personId, { feedback: feedback.nextCursor })}
        label="Show more feedback"
      />
    </section>
  )
}

function FeedbackEntry({ entry: { by, rating, feedback, itemTitle, createdAt } }: { entry: Feedback }) {
  return (
    <article className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
      <Avatar name={by.name} imageUrl={by.profileImageUrl} />
      <div className="grid grid-cols-1 gap-1">
        <p className="flex flex-wrap items-center justify-between gap-x-4">
          <PersonLink person={by} />
          <Stars value={rating} />
        </p>
        {feedback && <p className="whitespace-pre-line [overflow-wrap:anywhere]">{feedback}</p>}
        <p className="text-fine text-ink-soft [overflow-wrap:anywhere]">
          {itemTitle} · {useDate(createdAt)}
        </p>
      </div>
    </article>
  )
}
