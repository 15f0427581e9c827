import { type Dispute, getDisputeDetails } from '@sought/contract/disputes'
import { type ReactNode, useState } from 'react'
import { useRead } from '../../lib/calls.ts'
import { useCurrency } from '../../lib/currency.ts'
import { formatCents } from '../../lib/money.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { EvidenceList } from './evidence-list.tsx'
import { ResolutionTab } from './resolution-tab.tsx'
import { ReviewOverview } from './review-overview.tsx'
import { Timeline } from './timeline.tsx'
import { titleOf } from './words.ts'

export function ReviewButton({ dispute }: { dispute: Dispute }) {
  const [open, setOpen] = useState(false)
  const amount = formatCents(dispute.amount, useCurrency())
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      width="column"
      title={`Dispute #${dispute.id}`}
      description={`${titleOf(dispute)}, ${amount}`}
      trigger={<Button size="sm">Review</Button>}
    >
      <Review dispute={dispute} onResolved={() => setOpen(false)} />
    </Dialog>
  )
}

/** Everything about a dispute, read anew each time that the dialog opens. */
function Review({ dispute, onResolved }: { dispute: Dispute; onResolved: () => void }) {
  const details = useRead(getDisputeDetails, { params: { id: String(dispute.id) } }, { staleMs: 0 })
  const once = (shown: (it: NonNullable<typeof details.data>) => ReactNode) => {
    if (details.data) return shown(details.data)
    if (details.isPending) return <Waiting />
    return <ErrorState onRetry={() => void details.refetch()} busy={details.isFetching} />
  }
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
          content: once(({ evidence, buyerInfo: buyer, sellerInfo: seller }) => (
            <EvidenceList evidence={evidence} parties={{ buyer, seller }} />
          )),
        },
        {
          value: 'timeline',
          label: 'Timeline',
          content: once(({ timeline }) => <Timeline entries={timeline} />),
        },
        {
          value: 'resolution',
          label: 'Resolution',
          content: <ResolutionTab dispute={dispute} onResolved={onResolved} />,
        },
      ]}
    />
  )
}

function Waiting() {
  return (
    <div role="status" aria-label="Loading..." className="grid gap-3">
      <Skeleton className="h-20" />
      <Skeleton className="h-20" />
    </div>
  )
}
