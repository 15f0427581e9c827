import type { ReactNode } from 'react'
import { classNames } from '../base/class-names.ts'

const sizes = {
  inherit: '',
  lead: 'font-display font-strong text-lead',
  title: 'font-display font-strong text-title',
  heading: 'font-display font-strong text-heading',
} as const

export interface MoneyProps {
  /** The formatted amount, such as '$120.00'. */
  amount: string
  /** What the money is: 'Offer', 'You receive'. */
  what?: ReactNode
  /** Where the money is: 'In escrow until 4 May'. */
  where?: ReactNode
  size?: keyof typeof sizes | undefined
  className?: string | undefined
}

/** Money is always shown the same way: what it is, how much, where it is now. */
export function Money({ amount, what, where, size = 'inherit', className }: MoneyProps) {
  const figure = <span className={classNames('whitespace-nowrap tabular-nums', sizes[size])}>{amount}</span>
  if (!what && !where) return <span className={className}>{figure}</span>
  return (
    <span className={classNames('inline-grid gap-0.5', className)}>
      {what && <span className="text-fine text-ink-soft">{what}</span>}
      {figure}
      {where && <span className="text-fine text-ink-soft">{where}</span>}
    </span>
  )
}
