import type { Figures } from '@sought/contract/analytics'
import type { Currency } from '@sought/contract/currencies'
import { mainOf } from '@sought/contract/money'
import { Download, Table as TableIcon } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import type { ChartKind } from './charts.tsx'
import { type ListedFigure, textOf } from './figure-texts.ts'
import { useChosenCurrency, useFormat } from './use-format.ts'

/** More names would be unreadable on a phone. The table has all of them. */
const RANKED_MAX = 10

const Chart = lazy(async () => ({ default: (await import('./charts.tsx')).Chart }))

export interface Row extends Figures {
  /** A period, a category or a country. */
  name: string
}

interface ChartSectionProps {
  title: string
  /** The heading of the first column: 'Day', 'Category'. */
  rowTitle: string
  rows: readonly Row[]
  /** The figures of the chart. They have the same unit. */
  charted: readonly ListedFigure[]
  /** The figures of the table and of the file, if there are more than in the chart. */
  listed?: readonly ListedFigure[]
  kind?: ChartKind
  fileName: string
}

/** Figures as a chart or as a table, with a file to download. */
export function ChartSection(props: ChartSectionProps) {
  const { title, rowTitle, rows, charted, listed = charted, kind = 'lines', fileName } = props
  const [isTable, setIsTable] = useState(false)
  const format = useFormat()
  const currency = useChosenCurrency()
  const [first = 'requests'] = charted
  const unit = textOf(first).unit
  const csv = csvUrl(
    [rowTitle, ...listed.map((figure) => columnOf(figure))],
    rows.map((row) => [row.name, ...listed.map((figure) => fileValue(figure, row[figure], currency))]),
  )
  return (
    <section aria-label={title}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-display font-strong text-title">{title}</h2>
        <div className="flex gap-2">
          <Button
            variant="secondary"
            size="sm"
            aria-pressed={isTable}
            onClick={() => setIsTable(!isTable)}
            className="aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-ground"
          >
            <TableIcon aria-hidden="true" />
            Table
          </Button>
          <Button asChild variant="secondary" size="sm">
            <a href={csv} download={`${fileName}.csv`}>
              <Download aria-hidden="true" />
              CSV
            </a>
          </Button>
        </div>
      </div>
      {isTable ? (
        <FigureTable {...{ title, rowTitle, rows, listed }} />
      ) : (
        <Suspense fallback={<Skeleton className="h-65" />}>
          <Chart
            kind={kind}
            lines={charted.map((figure) => ({ key: figure, label: textOf(figure).label }))}
            points={kind === 'ranking' ? rows.slice(0, RANKED_MAX) : rows}
            format={(value) => format(value, unit)}
          />
          {kind === 'ranking' && rows.length > RANKED_MAX && (
            <p className="mt-2 text-fine text-ink-soft">
              Only {RANKED_MAX} of {rows.length} are shown. The table has all of them.
            </p>
          )}
        </Suspense>
      )}
    </section>
  )
}

const columnOf = (figure: ListedFigure) => textOf(figure).label

/** Amounts in whole units of the currency, as spreadsheets expect them. */
const fileValue = (figure: ListedFigure, value: number, currency: Currency) =>
  textOf(figure).unit === 'cents' ? mainOf(value, currency) : value

function FigureTable({
  title,
  rowTitle,
  rows,
  listed,
}: Pick<ChartSectionProps, 'title' | 'rowTitle' | 'rows'> & { listed: readonly ListedFigure[] }) {
  const format = useFormat()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: users must be able to scroll a wide table by keyboard.
    <section aria-label={`${title}, table`} tabIndex={0} className="scroll-hint max-h-96 overflow-auto">
      <table className="w-full border-collapse text-fine tabular-nums">
        <thead>
          <tr className="border-line-strong border-b text-ink-soft">
            <th scope="col" className="sticky top-0 left-0 z-10 bg-ground py-2 pr-4 text-left">
              {rowTitle}
            </th>
            {listed.map((figure) => (
              <th
                key={figure}
                scope="col"
                className="sticky top-0 bg-ground py-2 pl-4 text-right align-bottom"
              >
                {textOf(figure).label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name} className="border-line border-b">
              <th
                scope="row"
                className="sticky left-0 min-w-24 max-w-36 bg-ground py-2 pr-4 text-left font-regular [overflow-wrap:anywhere] sm:max-w-64"
              >
                {row.name}
              </th>
              {listed.map((figure) => (
                <td key={figure} className="py-2 pl-4 text-right whitespace-nowrap">
                  {format(row[figure], textOf(figure).unit)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

type Cell = string | number

/** A link to download rows as CSV. Texts that a spreadsheet would read as a formula get an apostrophe. */
function csvUrl(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [columns, ...rows].map((row) => row.map(writeCell).join(','))
  return `data:text/csv;charset=utf-8,${encodeURIComponent(`${lines.join('\r\n')}\r\n`)}`
}

function writeCell(cell: Cell): string {
  if (typeof cell === 'number') return String(cell)
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
