import type { ReactNode } from 'react'
import { classNames } from '../base/class-names.ts'

export interface Definition {
  label: ReactNode
  value: ReactNode
  /** The total of the other rows, with a line above it. */
  total?: boolean | undefined
  /** An explanation under the label. */
  note?: ReactNode
}

export interface DefinitionListProps {
  rows: readonly (Definition & { key: string })[]
  /** Aligns the values on the right, for amounts. */
  figures?: boolean | undefined
  /** Puts the values below their labels, for narrow columns. */
  stacked?: boolean | undefined
  className?: string | undefined
}

export function DefinitionList({ rows, figures = false, stacked = false, className }: DefinitionListProps) {
  return (
    <dl className={classNames('grid', className)}>
      {rows.map(({ key, label, value, total, note }) => (
        <div
          key={key}
          className={classNames(
            'py-2',
            figures ? 'flex items-baseline justify-between gap-6' : 'grid gap-x-6',
            !figures && !stacked && 'sm:grid-cols-[11rem_1fr]',
            total ? 'mt-1 border-ink border-t pt-3 font-strong' : 'border-line border-t first:border-t-0',
          )}
        >
          <dt className={total ? 'text-ink' : 'text-ink-soft'}>
            {label}
            {note && <span className="block text-fine text-ink-soft">{note}</span>}
          </dt>
          <dd
            className={
              figures ? 'text-right tabular-nums whitespace-nowrap' : 'min-w-0 [overflow-wrap:anywhere]'
            }
          >
            {value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
