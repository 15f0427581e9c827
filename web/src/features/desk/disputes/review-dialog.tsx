import { type DeskDispute, getDisputeDetails, listDisputeMessages } from '@sought/contract/disputes'
import { paths } from '@sought/contract/paths'
import type { Photo } from '@sought/contract/photos'
import { type ReactNode, useState } from 'react'
import { useRead, useReadPages } from '../../../data/calls.ts'
import { formatMoney } from '../../../format/money.ts'
import { EvidenceList } from '../../../shared/disputes/dispute-evidence.tsx'
import { disputeTitle } from '../../../shared/disputes/dispute-status.ts'
import { Timeline } from '../../../shared/disputes/dispute-timeline.tsx'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { PagedList } from '../../../shared/loading/paged-list.tsx'
import { LinkButton } from '../../../shared/navigation/links.tsx'
import { SupportMessageCard } from '../../../shared/support/support-message.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Skeleton, Skeletons } from '../../../ui/feedback/skeleton.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { Tabs } from '../../../ui/layout/tabs.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { GoodwillDialog } from '../shared/goodwill-dialog.tsx'
import { ResolutionTab } from './resolution-tab.tsx'
import { ReviewOverview } from './review-overview.tsx'
import { TeamTab } from './team-tab.tsx'

export function ReviewButton({ dispute }: { dispute: DeskDispute }) {
  const [open, setOpen] = useState(false)
  const amount = formatMoney(dispute.amount, dispute.currency)
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      width="column"
      title={`Dispute #${dispute.id}`}
      description={`${disputeTitle(dispute)}, ${amount}`}
      trigger={<Button size="sm">Review</Button>}
      actions={
        <>
          <LinkButton to={paths.adminDeal(dispute.id)} variant="quiet">
            Open the Deal
          </LinkButton>
          <GoodwillDialog deal={dispute} trigger={<Button variant="secondary">Goodwill Payment</Button>} />
        </>
      }
    >
      <Review dispute={dispute} onResolved={() => setOpen(false)} />
    </Dialog>
  )
}

/** Fetches the details each time the dialog opens. */
function Review({ dispute, onResolved }: { dispute: DeskDispute; onResolved: () => void }) {
  const details = useRead(getDisputeDetails, { params: { id: String(dispute.id) } })
  const whenLoaded = (render: (it: NonNullable<typeof details.data>) => ReactNode) => (
    <Loaded query={details} loading={<Skeletons count={2} each="h-20" />}>
      {render}
    </Loaded>
  )
  return (
    <Tabs
      label="Dispute"
      tabs={[
        {
          value: 'overview',
          label: 'Overview',
          content: <ReviewOverview dispute={dispute} details={details.data} />,
        },
        {
          value: 'evidence',
          label: 'Evidence',
          content: whenLoaded(({ evidence, buyerInfo: buyer, sellerInfo: seller }) => (
            <EvidenceList evidence={evidence} parties={{ buyer, seller }} />
          )),
        },
        {
          value: 'timeline',
          label: 'Timeline',
          content: whenLoaded(({ timeline }) => <Timeline entries={timeline} currency={dispute.currency} />),
        },
        {
          value: 'resolution',
          label: 'Resolution',
          content: (
            <ResolutionTab
              dispute={dispute}
              appealUntil={details.data?.appealUntil}
              onResolved={onResolved}
            />
          ),
        },
        {
          value: 'team',
          label: 'Team',
          content: whenLoaded(({ notes, assignee }) => (
            <TeamTab dispute={dispute} notes={notes} assignee={assignee} />
          )),
        },
        {
          value: 'conversation',
          label: 'Conversation',
          content: <DisputeConversation dispute={dispute} />,
        },
      ]}
    />
  )
}

const PAGE_SIZE = 50

/** The messages between buyer and seller. Loaded when an admin opens them, which is recorded. */
function DisputeConversation({ dispute }: { dispute: DeskDispute }) {
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
