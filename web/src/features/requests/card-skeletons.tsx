import { IndexCardSkeleton } from '../../ui/index-card.tsx'

/** How cards stand side by side: three in the hero, up to four on the board. */
export const columnsOf = {
  hero: 'grid gap-5 md:grid-cols-3',
  board: 'grid gap-5 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4',
} as const

/** The places of cards that are still on their way. */
export function CardSkeletons({ count, columns }: { count: number; columns: keyof typeof columnsOf }) {
  return (
    <div role="status" aria-label="Loading requests" className={columnsOf[columns]}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all alike, never reordered
        <IndexCardSkeleton key={index} picture />
      ))}
    </div>
  )
}
