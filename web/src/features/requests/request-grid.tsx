import type { WantedItem } from '@sought/contract/requests'
import { cardColumns } from '../../lib/card-skeletons.tsx'
import { RequestCard } from '../../lib/request-card.tsx'

/** Requests under a heading. */
export function RequestGrid({ title, items }: { title: string; items: readonly WantedItem[] }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-5 font-display font-strong text-heading">{title}</h2>
      <div className={cardColumns.board}>
        {items.map((item) => (
          <RequestCard key={item.id} item={item} />
        ))}
      </div>
    </section>
  )
}
