import { listSimilarWantedItems } from '@sought/contract/requests'
import { useRead } from '../../data/calls.ts'
import { RequestGrid } from '../../shared/requests/request-grid.tsx'

/** Other open requests. Hidden while loading and if there are none, because the page is complete without them. */
export function SimilarRequests({ itemId }: { itemId: number }) {
  const { data: items = [] } = useRead(listSimilarWantedItems, { params: { id: String(itemId) } })
  if (items.length === 0) return null
  return (
    <div className="mt-16">
      <RequestGrid title="Similar requests" items={items} columns="desk" />
    </div>
  )
}
