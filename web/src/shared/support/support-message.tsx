import type { ReactNode } from 'react'
import { formatDateTime } from '../../format/dates.ts'
import { classNames } from '../../ui/base/class-names.ts'

const looks = {
  question: 'bg-sunken',
  reply: 'bg-accent-wash',
  note: 'border border-line-strong border-dashed',
  flagged: 'bg-danger-wash',
} as const

interface SupportMessageCardProps {
  look: keyof typeof looks
  author: ReactNode
  content: string
  createdAt: string
  children?: ReactNode
}

/** One message of a support conversation. */
export function SupportMessageCard({ look, author, content, createdAt, children }: SupportMessageCardProps) {
  return (
    <li className={classNames('grid grid-cols-[minmax(0,1fr)] gap-1 rounded-card p-4', looks[look])}>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="min-w-0 font-strong [overflow-wrap:anywhere]">{author}</span>
        <time dateTime={createdAt} className="text-fine text-ink-soft">
          {formatDateTime(createdAt)}
        </time>
      </p>
      {content && <p className="whitespace-pre-line [overflow-wrap:anywhere]">{content}</p>}
      {children}
    </li>
  )
}
