import type { ReactNode } from 'react'
import { classNames } from '../base/class-names.ts'

const tones = {
  /** A category or a role. */
  neutral: 'bg-sunken text-ink',
  /** Like neutral, but less prominent. */
  outline: 'text-ink-soft ring-1 ring-line-strong ring-inset',
  /** Good or done. */
  accent: 'bg-accent-wash text-accent-deep',
  /** Needs attention soon. */
  attention: 'bg-signal-wash text-signal-text',
  /** Urgent. */
  signal: 'bg-signal text-signal-ink',
  /** Failed, or in dispute. */
  danger: 'bg-danger-wash text-danger-deep',
} as const

export type BadgeTone = keyof typeof tones

export interface BadgeProps {
  tone?: BadgeTone | undefined
  icon?: ReactNode
  className?: string | undefined
  children: ReactNode
}

export function Badge({ tone = 'neutral', icon, className, children }: BadgeProps) {
  return (
    <span
      className={classNames(
        'inline-flex max-w-full items-center gap-1 rounded-card px-2 py-0.5 text-fine font-strong [&_svg]:size-3.5 [&_svg]:shrink-0',
        tones[tone],
        className,
      )}
    >
      {icon}
      <span className="truncate">{children}</span>
    </span>
  )
}
