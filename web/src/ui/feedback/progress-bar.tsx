import { classNames } from '../base/class-names.ts'

export interface ProgressBarProps {
  /** What is in progress, for screen readers. */
  label: string
  /** From 0 to 1. */
  value: number
  className?: string | undefined
}

export function ProgressBar({ label, value, className }: ProgressBarProps) {
  const percent = Math.round(value * 100)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className={classNames('h-1 overflow-hidden rounded-round bg-line', className)}
    >
      <div className="h-full bg-accent transition-[width]" style={{ width: `${percent}%` }} />
    </div>
  )
}
