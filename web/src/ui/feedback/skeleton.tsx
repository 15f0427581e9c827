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
