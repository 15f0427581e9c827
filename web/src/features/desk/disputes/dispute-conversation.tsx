import { type DeskDispute, listDisputeMessages } from '@sought/contract/disputes'
import type { Photo } from '@sought/contract/photos'
import { useReadPages } from '../../../data/calls.ts'
import { SupportMessageCard } from '../../../shared/support/support-message.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { LoadMore } from '../../../ui/feedback/load-more.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'

const PAGE_SIZE = 50

/** The messages between buyer and seller. Loaded when an admin opens them, which is recorded. */
export function DisputeConversation({ dispute }: { dispute: DeskDispute }) {
  const messages = useReadPages(
    listDisputeMessages,
    { limit: String(PAGE_SIZE) },
    { staleMs: 0, params: { id: String(dispute.id) } },
  )
  if (messages.isPending) return <Skeleton className="h-40" />
  if (messages.isError && !messages.data) {
    return (
      <ErrorState
        reference={messages.error?.requestId}
        onRetry={() => void messages.refetch()}
        busy={messages.isFetching}
      />
    )
  }
  if (messages.data.length === 0) {
    return (
      <EmptyState drawing="letters" title="No messages" headingLevel="h3">
        The buyer and the seller have not written to each other.
      </EmptyState>
    )
  }
  return (
    <>
      <p className="mb-3 text-fine text-ink-soft">
        Newest first. Every reading is recorded in the audit log.
      </p>
      <ul aria-label="Messages" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {messages.data.map(({ id, sender, content, photos, createdAt }) => (
          <SupportMessageCard
            key={id}
            look={sender.id === dispute.buyerId ? 'question' : 'reply'}
            author={`${sender.name}, ${sender.id === dispute.buyerId ? 'buyer' : 'seller'}`}
            content={content}
            createdAt={createdAt}
          >
            <Photos photos={photos} />
          </SupportMessageCard>
        ))}
      </ul>
      <LoadMore
        label="Show earlier messages"
        hasMore={messages.hasNextPage}
        busy={messages.isFetchingNextPage}
        onMore={() => void messages.fetchNextPage()}
      />
    </>
  )
}

/** Thumbnails that open the full photo. */
function Photos({ photos }: { photos: readonly Photo[] }) {
  if (photos.length === 0) return null
  return (
    <p className="flex flex-wrap gap-2 pt-1">
      {photos.map(({ id, url, width, height }, index) => (
        <a key={id} href={url} target="_blank" rel="noreferrer">
          <img
            src={`${url}?size=small`}
            alt={`Number ${index + 1} of ${photos.length}`}
            width={width}
            height={height}
            loading="lazy"
            className="h-28 w-auto rounded-control object-cover"
          />
        </a>
      ))}
    </p>
  )
}
