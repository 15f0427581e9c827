import { CircleAlert, CircleCheck, Clock, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../base/class-names.ts'

const tones = {
  info: { Icon: Info, box: 'bg-sunken', mark: 'text-ink-soft' },
  success: { Icon: CircleCheck, box: 'bg-accent-wash', mark: 'text-accent' },
  warning: { Icon: Clock, box: 'bg-signal-wash', mark: 'text-signal-text' },
  danger: { Icon: CircleAlert, box: 'bg-danger-wash', mark: 'text-danger' },
} as const

export interface NoticeProps {
  tone?: keyof typeof tones | undefined
  title?: ReactNode
  children?: ReactNode
  /** A button or link for the next step. */
  action?: ReactNode
  /** Appears after a user action, so screen readers announce it. */
  live?: boolean | undefined
  className?: string | undefined
}

/** A short message within a page. */
export function Notice({ tone = 'info', title, children, action, live = false, className }: NoticeProps) {
  const { Icon, box, mark } = tones[tone]
  const role = live ? (tone === 'danger' ? 'alert' : 'status') : undefined
  return (
    <div role={role} className={classNames('flex gap-3 rounded-card p-4', box, className)}>
      <Icon aria-hidden="true" className={classNames('mt-0.5 size-5 shrink-0', mark)} />
      <div className="flex min-w-0 grow flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 max-w-column grow basis-52">
          {title && <p className="font-strong">{title}</p>}
          {children && <div className="text-ink">{children}</div>}
        </div>
        {action}
      </div>
    </div>
  )
}
