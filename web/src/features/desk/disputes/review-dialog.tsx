import { type DeskDispute, getDisputeDetails } from '@sought/contract/disputes'
import { paths } from '@sought/contract/paths'
import { type ReactNode, useState } from 'react'
import { useRead } from '../../../data/calls.ts'
import { formatCents } from '../../../format/money.ts'
import { EvidenceList } from '../../../shared/disputes/dispute-evidence.tsx'
import { disputeTitle } from '../../../shared/disputes/dispute-status.ts'
import { Timeline } from '../../../shared/disputes/dispute-timeline.tsx'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { LinkButton } from '../../../shared/navigation/link-button.tsx'
import { Skeletons } from '../../../ui/feedback/skeleton.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { Tabs } from '../../../ui/layout/tabs.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { GoodwillDialog } from '../shared/goodwill-dialog.tsx'
import { DisputeConversation } from './dispute-conversation.tsx'
import { ResolutionTab } from './resolution-tab.tsx'
import { ReviewOverview } from './review-overview.tsx'
import { TeamTab } from './team-tab.tsx'

export function ReviewButton({ dispute }: { dispute: DeskDispute }) {
  const [open, setOpen] = useState(false)
  const amount = formatCents(dispute.amount, dispute.currency)
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
