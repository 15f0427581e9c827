import { classNames } from '../base/class-names.ts'

/** A placeholder with the size of the content that is loading. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return (
    <span
      aria-hidden="true"
      className={classNames('block animate-breathe rounded-card bg-sunken', className)}
    />
  )
}

interface SkeletonsProps {
  /** For screen readers. */
  label?: string
  count?: number
  className?: string
  /** The look of each of them. */
  each: string
}

/** Placeholders for a list that is loading. */
export function Skeletons({ label = 'Loading...', count = 3, className = 'gap-3', each }: SkeletonsProps) {
  return (
    <div role="status" aria-label={label} className={classNames('grid', className)}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are all the same
        <Skeleton key={index} className={each} />
      ))}
    </div>
  )
}
