import {
  Bar,
  BarChart,
  CartesianGrid,
  Legend,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { formatPeriod } from './range.ts'

/** The only file that imports recharts. It is loaded with the first chart. */

export interface ChartLine {
  key: string
  label: string
}

/** Lines or bars over time, or a ranking of names by their values. */
export type ChartKind = 'lines' | 'bars' | 'ranking'

export interface ChartPoint {
  name: string
}

export interface ChartProps {
  kind: ChartKind
  lines: readonly ChartLine[]
  /** Each point has a value for each line. */
  points: readonly ChartPoint[]
  format: (value: number) => string
}

/** Dashes distinguish lines without colours. */
const looks = [
  { colour: 'var(--color-accent)', dashes: '0' },
  { colour: 'var(--color-signal-text)', dashes: '6 4' },
  { colour: 'var(--color-ink-soft)', dashes: '2 3' },
  { colour: 'var(--color-danger)', dashes: '10 3 2 3' },
]

const axis = {
  stroke: 'var(--color-line-strong)',
  tick: { fill: 'var(--color-ink-soft)', fontSize: 12 },
  tickLine: false,
} as const

const HEIGHT = 260
const RANK_HEIGHT = 36
const AXIS_HEIGHT = 40

export function Chart({ kind, lines, points, format }: ChartProps) {
  const Kind = kind === 'lines' ? LineChart : BarChart
  const isRanking = kind === 'ranking'
  return (
    <ResponsiveContainer width="100%" height={isRanking ? points.length * RANK_HEIGHT + AXIS_HEIGHT : HEIGHT}>
      <Kind
        data={[...points]}
        layout={isRanking ? 'vertical' : 'horizontal'}
        margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
        accessibilityLayer
      >
        <CartesianGrid vertical={isRanking} horizontal={!isRanking} stroke="var(--color-line)" />
        {isRanking ? (
          <>
            <XAxis type="number" tickFormatter={format} minTickGap={24} {...axis} />
            <YAxis type="category" dataKey="name" width={104} interval={0} {...axis} />
          </>
        ) : (
          <>
            <XAxis
              dataKey="name"
              tickFormatter={formatPeriod}
              interval="equidistantPreserveStart"
              minTickGap={24}
              {...axis}
            />
            <YAxis width={72} tickFormatter={format} allowDecimals={false} {...axis} />
          </>
        )}
        <Tooltip
          formatter={(value) => format(Number(value))}
          labelFormatter={(name) => (isRanking ? name : formatPeriod(String(name)))}
          cursor={{ fill: 'var(--color-sunken)', stroke: 'var(--color-line-strong)' }}
          contentStyle={{
            background: 'var(--color-paper)',
            border: '1px solid var(--color-line-strong)',
            borderRadius: 'var(--radius-control)',
            color: 'var(--color-ink)',
          }}
          itemStyle={{ color: 'var(--color-ink)' }}
        />
        {lines.length > 1 && (
          <Legend iconType="plainline" itemSorter={null} wrapperStyle={{ fontSize: 13 }} />
        )}
        {lines.map(({ key, label }, at) => {
          const { colour, dashes } = looks[at % looks.length] as (typeof looks)[number]
          return kind === 'lines' ? (
            <Line
              key={key}
              dataKey={key}
              name={label}
              stroke={colour}
              strokeDasharray={dashes}
              strokeWidth={2}
              dot={false}
              isAnimationActive={false}
            />
          ) : (
            <Bar
              key={key}
              dataKey={key}
              name={label}
              fill={colour}
              maxBarSize={32}
              isAnimationActive={false}
            />
          )
        })}
      </Kind>
    </ResponsiveContainer>
  )
}
