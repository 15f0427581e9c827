import { classNames } from '../base/class-names.ts'

const MAX_SHOWN = 9

/** The count, or 9+ above nine. For the badge and for the label of its button. */
export function formatCount(count: number): string {
  return count > MAX_SHOWN ? `${MAX_SHOWN}+` : String(count)
}

/** A count on a button or link whose label says what is counted. Hidden at zero. */
export function CountBadge({ count, className }: { count: number; className?: string | undefined }) {
  if (count <= 0) return null
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'inline-grid h-4.5 min-w-4.5 place-items-center rounded-round bg-accent px-1 font-strong text-[0.6875rem] text-accent-ink tabular-nums leading-none',
        className,
      )}
    >
      {formatCount(count)}
    </span>
  )
}
