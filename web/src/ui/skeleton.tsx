import { classNames } from './class-names.ts'

/** A patch where something will stand. Give it the size of that something. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return (
    <span
      aria-hidden="true"
      className={classNames('block animate-breathe rounded-card bg-sunken', className)}
    />
  )
}
