import { classNames } from './class-names.ts'

const LARGEST_SHOWN = 9

/** 9+ above nine (spec §9). For the badge, and for the name of the control that it sits on. */
export function countText(count: number): string {
  return count > LARGEST_SHOWN ? `${LARGEST_SHOWN}+` : String(count)
}

/** How many wait; nothing at zero. The control it sits on says what they are. */
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
      {countText(count)}
    </span>
  )
}
