import { type DeskDispute, listDisputeMessages } from '@sought/contract/disputes'
import type { Photo } from '@sought/contract/photos'
import { useReadPages } from '../../../data/calls.ts'
import { PagedList } from '../../../shared/loading/paged-list.tsx'
import { SupportMessageCard } from '../../../shared/support/support-message.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'

const PAGE_SIZE = 50

/** The messages between buyer and seller. Loaded when an admin opens them, which is recorded. */
export function DisputeConversation({ dispute }: { dispute: DeskDispute }) {
  const messages = useReadPages(
    listDisputeMessages,
    { limit: String(PAGE_SIZE) },
    { params: { id: String(dispute.id) } },
  )
  return (
    <PagedList
      pages={messages}
      loading={<Skeleton className="h-40" />}
      empty={
        <EmptyState drawing="letters" title="No messages" headingLevel="h3">
          The buyer and the seller have not written to each other.
        </EmptyState>
      }
      more={{ label: 'Show earlier messages' }}
      layout={(loaded) => (
        <>
          <p className="mb-3 text-fine text-ink-soft">
            Newest first. Every reading is recorded in the audit log.
          </p>
          <ul aria-label="Messages" className="grid grid-cols-[minmax(0,1fr)] gap-3">
            {loaded.map(({ id, sender, content, photos, createdAt }) => (
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
        </>
      )}
    />
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
