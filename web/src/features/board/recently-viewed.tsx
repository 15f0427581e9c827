import { listWantedItemsById } from '@sought/contract/requests'
import { useState } from 'react'
import { useRead } from '../../data/calls.ts'
import { cardColumns } from '../../shared/requests/card-skeletons.tsx'
import { RequestCard } from '../../shared/requests/request-card.tsx'
import { requestStates } from '../../shared/requests/request-status.ts'
import { forgetViewed, readViewed } from '../../shared/requests/viewed-requests.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Button } from '../../ui/forms/button.tsx'

const SHOWN_COUNT = 6

/** The requests last viewed in this browser that still exist. */
export function RecentlyViewed({ userId }: { userId: string | null }) {
  const [ids, setIds] = useState(() => readViewed(userId))
  const existing = useRead(listWantedItemsById, { query: { ids: ids.join() } }, { enabled: ids.length > 0 })
  if (ids.length === 0 || !existing.data || existing.data.length === 0) return null
  const clear = () => {
    forgetViewed()
    setIds([])
  }
  return (
    <section aria-labelledby="recently-viewed">
      <div className="mb-5 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 id="recently-viewed" className="font-display font-strong text-heading">
          Recently viewed
        </h2>
        <Button variant="quiet" size="sm" className="-mx-3" onClick={clear}>
          Clear
        </Button>
      </div>
      <div className={cardColumns.board}>
        {existing.data.slice(0, SHOWN_COUNT).map((item) => (
          <RequestCard
            key={item.id}
            item={item}
            badge={item.status !== 'open' && <Badge tone="outline">{requestStates[item.status].label}</Badge>}
          />
        ))}
      </div>
    </section>
  )
}
