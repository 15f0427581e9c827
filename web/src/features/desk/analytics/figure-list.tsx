import type { Figures } from '@sought/contract/analytics'
import { TitledSection } from '../../../ui/layout/titled-section.tsx'
import { listedFigures, textOf } from './figure-texts.ts'
import { useFormat } from './use-format.ts'

interface FigureListProps {
  totals: Figures
  previous: Figures
  /** The name of the previous period, such as 'the 30 days before'. */
  before: string
}

/** Every figure with its definition, compared with the previous period. */
export function FigureList({ totals, previous, before }: FigureListProps) {
  const format = useFormat()
  return (
    <TitledSection title="All figures">
      <dl className="grid grid-cols-[minmax(0,1fr)]">
        {listedFigures.map((figure) => {
          const { label, definition, unit } = textOf(figure)
          return (
            <div
              key={figure}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-6 border-line border-t py-2 first:border-t-0"
            >
              <dt className="text-ink-soft">{label}</dt>
              <dd className="text-right font-strong tabular-nums">{format(totals[figure], unit)}</dd>
              <dd className="text-fine text-ink-soft max-sm:col-span-2">{definition}</dd>
              <dd className="text-fine text-ink-soft tabular-nums first-letter:uppercase max-sm:col-span-2 sm:text-right">
                {describeChange(totals[figure], previous[figure], before)}
                {previous[figure] !== 0 && ` (${format(previous[figure], unit)})`}
              </dd>
            </div>
          )
        })}
      </dl>
    </TitledSection>
  )
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** From this factor on, the text says "12 times", because large percentages are hard to read. */
const TIMES_MIN = 10

/** Compares a figure with the previous period: '12% more than in the 30 days before'. */
function describeChange(current: number, previous: number, before: string): string {
  if (current === previous) return `the same as in ${before}`
  if (previous === 0) return `none in ${before}`
  const times = current / previous
  if (times >= TIMES_MIN) return `${whole.format(times)} times that of ${before}`
  const change = ((current - previous) / Math.abs(previous)) * 100
  return `${whole.format(Math.abs(change))}% ${change > 0 ? 'more' : 'less'} than in ${before}`
}
