import { classNames } from '../base/class-names.ts'

/** A spinner in the colour of the text. Hidden from screen readers, so it needs a text next to it. */
export function Spinner({ className }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true" className={classNames('size-5 animate-spin', className)}>
      <circle cx="10" cy="10" r="7.5" fill="none" stroke="currentColor" strokeWidth="2" opacity="0.25" />
      <path
        d="M10 2.5a7.5 7.5 0 0 1 7.5 7.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  )
}

/** Shown while a whole screen is loading. */
export function FullPageSpinner() {
  return (
    <div
      role="status"
      className="grid min-h-[70dvh] place-content-center justify-items-center gap-4 p-8 text-accent"
    >
      <Spinner className="size-9" />
      <p className="text-ink-soft">Loading...</p>
    </div>
  )
}
