import { FIGURES, type Figures, type getAnalytics, MONEY_FIGURES } from '@sought/contract/analytics'
import type { QueryOf } from '@sought/contract/call'
import type { Currency } from '@sought/contract/currencies'
import { DISPUTE_REASONS } from '@sought/contract/dispute-draft'
import type { Db } from '../../../database/database.ts'
import { daysBefore, daysBetween, listPeriods } from './periods.ts'
import * as queries from './queries.ts'

type Counts = Record<string, number>

type Period = Omit<QueryOf<typeof getAnalytics>, 'currency'>

/** Counts of everything, and amounts in one currency. */
export async function readAnalytics(db: Db, { from, to, by }: Period, currency: Currency) {
  const current = daysBetween(from, to)
  const found = await queries.findFigures(db, { current, previous: daysBefore(current), by })
  const partsOf = (part: (typeof found)[number]['part']) => found.filter((row) => row.part === part)
  const periods = new Map(partsOf('series').map(({ name, figures }) => [name, figures]))
  const totals = addUp([...periods.values()])
  return {
    totals: asFigures(totals, currency),
    previous: asFigures(partsOf('previous')[0]?.figures, currency),
    series: listPeriods(current, by).map((period) => ({
      period,
      ...asFigures(periods.get(period), currency),
    })),
    categories: byVolume(partsOf('category'), currency),
    countries: byVolume(partsOf('country'), currency),
    reasons: DISPUTE_REASONS.map((reason) => ({ reason, count: totals[`reason:${reason}`] ?? 0 }))
      .filter(({ count }) => count > 0)
      .sort((one, other) => other.count - one.count),
  }
}

function addUp(all: Counts[]): Counts {
  const sums: Counts = {}
  for (const counts of all)
    for (const [figure, value] of Object.entries(counts)) sums[figure] = (sums[figure] ?? 0) + value
  return sums
}

const asFigures = (counts: Counts = {}, currency: Currency) =>
  Object.fromEntries(
    FIGURES.map((figure) => [
      figure,
      counts[MONEY_FIGURES.includes(figure) ? `${figure}:${currency}` : figure] ?? 0,
    ]),
  ) as Figures

/** Leaves out names whose figures are all 0, such as a category that no request has any more. */
function byVolume(rows: { name: string; figures: Counts }[], currency: Currency) {
  return rows
    .map(({ name, figures }) => ({ name, ...asFigures(figures, currency) }))
    .filter((row) => FIGURES.some((figure) => row[figure] !== 0))
    .sort(
      (one, other) =>
        other.volume - one.volume || other.requests - one.requests || (one.name < other.name ? -1 : 1),
    )
}
