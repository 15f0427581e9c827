import { type Analytics, getAnalytics, type Step } from '@sought/contract/analytics'
import { paths } from '@sought/contract/paths'
import { useEffect, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { useRead } from '../../../data/calls.ts'
import { getCountryName } from '../../../shared/addresses/countries.ts'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { useCurrencies } from '../../../shared/market/currency.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Chip } from '../../../ui/forms/chip.tsx'
import { Select, toOptions } from '../../../ui/forms/select.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { ChartSection, type Row } from './chart-section.tsx'
import { DisputeFigures } from './dispute-figures.tsx'
import { FigureList } from './figure-list.tsx'
import { listedFigures } from './figure-texts.ts'
import { Funnel } from './funnel.tsx'
import { countDays, findRangeError, parseRange, presetsOf, type Range } from './range.ts'
import { useChosenCurrency } from './use-format.ts'

export function AdminAnalyticsScreen() {
  const [query] = useSearchParams()
  const [today] = useState(() => new Date())
  const range = parseRange(query, today)
  const error = findRangeError(range)
  const analytics = useRead(getAnalytics, { query: { ...range } }, { enabled: !error })
  return (
    <>
      <RangePicker range={range} today={today} error={error} />
      {!error && (
        <div className="mt-10">
          <Loaded query={analytics}>{(it) => <AllFigures analytics={it} range={range} />}</Loaded>
        </div>
      )}
    </>
  )
}

const steps: Record<Step, { label: string; title: string }> = {
  day: { label: 'By day', title: 'Day' },
  week: { label: 'By week', title: 'Week from' },
  month: { label: 'By month', title: 'Month' },
}

interface RangePickerProps {
  range: Range
  today: Date
  error: string | undefined
}

function RangePicker({ range, today, error }: RangePickerProps) {
  const currencies = useCurrencies()
  const currency = useChosenCurrency()
  const [, navigate] = useLocation()
  const change = (changes: Partial<Range>) =>
    navigate(paths.adminAnalytics({ ...range, ...changes }), { replace: true })
  return (
    <section aria-label="Time" className="grid gap-4">
      <div className="flex flex-wrap gap-2">
        {presetsOf(today).map(({ label, range: preset }) => (
          <Chip key={label} asChild pressed={preset.from === range.from && preset.to === range.to}>
            <Link href={paths.adminAnalytics({ ...preset, currency: range.currency })}>{label}</Link>
          </Chip>
        ))}
      </div>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        <DayField label="From" day={range.from} max={range.to} onDay={(from) => change({ from })} />
        <DayField label="To" day={range.to} min={range.from} error={error} onDay={(to) => change({ to })} />
        <Select
          label="Steps"
          className="max-sm:col-span-2"
          options={toOptions({ day: steps.day.label, week: steps.week.label, month: steps.month.label })}
          value={range.by}
          onChange={({ target }) => change({ by: target.value as Step })}
        />
        {currencies.length > 1 && (
          <Select
            label="Amounts in"
            className="max-sm:col-span-2"
            options={currencies.map((code) => ({ value: code, label: code.toUpperCase() }))}
            value={currency}
            onChange={({ target }) => change({ currency: currencies.find((it) => it === target.value) })}
          />
        )}
      </div>
    </section>
  )
}

interface DayFieldProps {
  label: string
  day: string
  min?: string
  max?: string
  error?: string | undefined
  onDay: (day: string) => void
}

const TYPING_PAUSE_MS = 500

/**
 * Waits for a pause in typing, because each typed digit of the year is already a valid date. While the date is
 * incomplete, the browser reports an empty value. Setting the previous value then would delete the typed digits.
 */
function DayField({ day, onDay, ...field }: DayFieldProps) {
  const [text, setText] = useState(day)
  const [lastDay, setLastDay] = useState(day)
  // The field must show the new range after a link or the back button has changed it.
  if (day !== lastDay) {
    setLastDay(day)
    setText(day)
  }
  useEffect(() => {
    if (text === '' || text === day) return
    const timer = setTimeout(() => onDay(text), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, day, onDay])
  return (
    <TextField
      {...field}
      type="date"
      value={text}
      onChange={({ target }) => setText(target.value)}
      onBlur={() => setText(text || day)}
    />
  )
}

/** The figures of the tables by period, category and country. */
const breakdown = listedFigures

function AllFigures({ analytics, range }: { analytics: Analytics; range: Range }) {
  const { totals, previous, series, categories, countries } = analytics
  if (listedFigures.every((figure) => totals[figure] === 0 && previous[figure] === 0))
    return (
      <EmptyState title="No figures">
        There are no figures for this period or the previous one. Choose another period.
      </EmptyState>
    )
  const days = countDays(range)
  const before = days === 1 ? 'the day before' : `the ${days} days before`
  const periods = series.map(({ period, ...figures }) => ({ name: labelOf(period, range.by), ...figures }))
  const byPeriod = { rowTitle: steps[range.by].title, rows: periods }
  const fileName = (what: string) => `${what}-${range.from}-${range.to}`
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-12">
      <Funnel totals={totals} />
      <FigureList totals={totals} previous={previous} before={before} />
      <ChartSection
        title="Activity"
        charted={['requests', 'offers', 'accepted', 'paid']}
        listed={breakdown}
        fileName={fileName('activity')}
        {...byPeriod}
      />
      <ChartSection
        title="Volume"
        kind="bars"
        charted={['volume']}
        fileName={fileName('volume')}
        {...byPeriod}
      />
      <ChartSection
        title="Fees, costs and losses"
        charted={['fees', 'providerCosts', 'losses', 'goodwill']}
        listed={['fees', 'processingFees', 'providerCosts', 'losses', 'goodwill']}
        fileName={fileName('fees')}
        {...byPeriod}
      />
      <ChartSection
        title="Users"
        charted={['newUsers', 'returning']}
        fileName={fileName('users')}
        {...byPeriod}
      />
      <DisputeFigures analytics={analytics} />
      <ChartSection
        title="Volume by category"
        rowTitle="Category"
        kind="ranking"
        rows={categories.map((row) => ({ ...row, name: row.name || 'No category' }))}
        charted={['volume']}
        listed={breakdown}
        fileName={fileName('categories')}
      />
      <ChartSection
        title="Volume by country"
        rowTitle="Country"
        kind="ranking"
        rows={countries.map(withCountryName)}
        charted={['volume']}
        listed={breakdown}
        fileName={fileName('countries')}
      />
    </div>
  )
}

const withCountryName = (row: Row): Row => ({ ...row, name: row.name ? getCountryName(row.name) : 'Unknown' })

const labelOf = (period: string, by: Step) => (by === 'month' ? period.slice(0, 7) : period)
