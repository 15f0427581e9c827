import type { WantedItem } from '@sought/contract/requests'
import { cardColumns } from './card-skeletons.tsx'
import { RequestCard } from './request-card.tsx'

interface RequestGridProps {
  title: string
  items: readonly WantedItem[]
  columns?: 'board' | 'desk'
}

/** Requests under a heading. */
export function RequestGrid({ title, items, columns = 'board' }: RequestGridProps) {
  return (
    <section aria-label={title}>
      <h2 className="mb-5 font-display font-strong text-heading">{title}</h2>
      <div className={cardColumns[columns]}>
        {items.map((item) => (
          <RequestCard key={item.id} item={item} columns={columns} />
        ))}
      </div>
    </section>
  )
}
