import type { ComponentProps, ReactNode } from 'react'
import { Skeletons } from '../../ui/feedback/skeleton.tsx'
import { PagedList } from './paged-list.tsx'

interface WaitingItem {
  id: number
  /** Whether the item waits for the user. */
  isWaiting: boolean
}

interface WaitingListProps<Item> extends Pick<ComponentProps<typeof PagedList<Item>>, 'pages' | 'empty'> {
  /** The heading of the items that do not wait. */
  othersTitle: string
  children: (item: Item) => ReactNode
}

/** A user's own items, page by page. Items that wait for the user come first. */
export function WaitingList<Item extends WaitingItem>({
  othersTitle,
  children,
  ...list
}: WaitingListProps<Item>) {
  return (
    <PagedList
      {...list}
      loading={<Skeletons className="gap-4" each="h-40 sm:h-32" />}
      layout={(all) =>
        [
          { title: 'Waiting for you', items: all.filter(({ isWaiting }) => isWaiting) },
          { title: othersTitle, items: all.filter(({ isWaiting }) => !isWaiting) },
        ]
          .filter(({ items }) => items.length > 0)
          .map(({ title, items }) => (
            <section key={title} aria-label={title} className="mt-10 first-of-type:mt-0">
              <h2 className="mb-4 font-display font-strong text-title">{title}</h2>
              <ul className="grid grid-cols-[minmax(0,1fr)] gap-4">
                {items.map((item) => (
                  <li key={item.id}>{children(item)}</li>
                ))}
              </ul>
            </section>
          ))
      }
    />
  )
}
