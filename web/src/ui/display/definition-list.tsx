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

/** Told apart by their labels, unless these are not texts or occur twice. */
type Row = Definition & ({ label: string; key?: string } | { key: string })

export interface DefinitionListProps {
  /** Rows that are missing are left out. */
  rows: readonly (Row | false | '' | null | undefined)[]
  /** Aligns the values on the right, for amounts. */
  figures?: boolean | undefined
  /** Puts the values below their labels, for narrow columns. */
  stacked?: boolean | undefined
  className?: string | undefined
}

export function DefinitionList({ rows, figures = false, stacked = false, className }: DefinitionListProps) {
  return (
    <dl className={classNames('grid', className)}>
      {rows.filter(isRow).map(({ key, label, value, total, note }) => (
        <div
          key={key ?? String(label)}
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

const isRow = (row: DefinitionListProps['rows'][number]): row is Row => Boolean(row)
