import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

const sizes = {
  inherit: '',
  lead: 'font-display font-strong text-lead',
  title: 'font-display font-strong text-title',
  heading: 'font-display font-strong text-heading',
} as const

export interface MoneyProps {
  /** Already written out, as '$120.00': the formats live in lib/money. */
  amount: string
  /** What it is: 'Offer', 'You receive'. */
  what?: ReactNode
  /** Where it is now: 'In escrow until 4 May'. */
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
