import { IndexCardSkeleton } from '../../ui/layout/index-card.tsx'

/**
 * The columns of request cards: three in the hero and next to a request, up to four on the board. On phones the
 * hero's cards are one row to swipe through, so that the board is not too far down.
 */
export const cardColumns = {
  hero:
    '-mx-4 -my-3 flex snap-x snap-mandatory scroll-px-4 gap-4 overflow-x-auto px-4 py-3 *:w-[84%] *:max-w-80 *:shrink-0 *:snap-start ' +
    'sm:-mx-6 sm:scroll-px-6 sm:px-6 md:m-0 md:grid md:grid-cols-3 md:gap-5 md:overflow-visible md:p-0 md:*:w-auto md:*:max-w-none',
  board: 'grid grid-cols-1 gap-5 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4',
  desk: 'grid grid-cols-1 gap-5 sm:grid-cols-2 lg:grid-cols-3',
} as const

/** Placeholders for request cards that are loading. */
export function CardSkeletons({ count, columns }: { count: number; columns: keyof typeof cardColumns }) {
  return (
    <div role="status" aria-label="Loading requests" className={cardColumns[columns]}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all alike, never reordered
        <IndexCardSkeleton key={index} picture />
      ))}
    </div>
  )
}
