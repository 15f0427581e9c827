import { checkLedger } from '@sought/server/features/money/ledger/check-ledger'
import { insertDeals } from '@sought/server/market-builder/copy-deals'
import type { Line } from '../support/part.ts'
import type { Random } from '../support/random.ts'
import { deleteLeftovers, vacuum } from './cleanup.ts'
import { insertRacers } from './deal-fixtures.ts'
import {
  type CaseContext,
  type DealSetup,
  deal,
  type RaceAction,
  type RaceCase,
} from './non-payment-races.ts'
import { recordedDeal } from './recorded-deals.ts'
import { runConcurrently } from './run-concurrently.ts'
import type { TwoServers } from './two-servers.ts'

const FIRST = 1_000_000
const BATCH = 100
const WAVE = 10
const MAX_REPORTED = 10

/** Numbers the cases of all groups that share a database. */
export function createCaseNumbers(): () => number {
  let next = FIRST
  return () => next++
}

/** Runs this share of each case's repetitions. */
export async function runNonPaymentRaces(
  two: TwoServers,
  cases: readonly RaceCase[],
  random: Random,
  share: number,
  nextCase: () => number,
): Promise<Line[]> {
  const lines: Line[] = []
  for (const raceCase of cases) {
    const times = Math.max(1, Math.round(raceCase.times * share))
    const violations: string[] = []
    const seen = new Set<string>()
    const batch = raceCase.affectsAllCases ? WAVE : BATCH
    for (let done = 0; done < times; done += batch) {
      const numbers = Array.from({ length: Math.min(batch, times - done) }, nextCase)
      violations.push(...(await runBatch(two, raceCase, numbers, random.split(), seen)))
    }
    if (times > BATCH) await vacuum(two)
    violations.push(...(await checkLedger(two.servers[0].services.database.read, null)).problems)
    const outcomes = `${seen.size} of ${raceCase.allowed.length} outcomes`
    lines.push({
      what: `races: ${raceCase.what}; ${outcomes}`,
      times,
      violations: violations.slice(0, MAX_REPORTED),
    })
  }
  return lines
}

async function runBatch(
  two: TwoServers,
  raceCase: RaceCase,
  numbers: number[],
  random: Random,
  seen: Set<string>,
) {
  const range = [numbers[0], numbers.at(-1)]
  await insertRacers(
    two,
    numbers.flatMap((n) => [`ben-${n}`, `sue-${n}`, `tom-${n}`]),
  )
  await insertCopies(two, numbers, deal(0, 'posted'))
  for (const part of raceCase.setup) {
    if (typeof part === 'string') await two.sql.query(part, range)
    else await insertCopies(two, numbers, part)
  }
  const answers = new Map<number, string[]>()
  for (let at = 0; at < numbers.length; at += WAVE) {
    const wave = numbers.slice(at, at + WAVE)
    await Promise.all(
      wave.map(async (n) => {
        const one = { n, two }
        const { actions } = raceCase
        const prepared = typeof actions === 'function' ? await actions(two.servers[0], one) : actions
        answers.set(n, await runCase(prepared, one, random.split()))
      }),
    )
  }
  const { rows } = await two.sql.query<{ n: number; is: string | null }>(
    `select n, ${raceCase.result} as is from generate_series($1::int, $2::int) n`,
    range,
  )
  await deleteLeftovers(two)
  return rows.flatMap(({ n, is }) => {
    const outcome = `${answers.get(n)?.join(', ')}; ${is?.replaceAll(idsOfCase(n), '')}`
    seen.add(outcome)
    return raceCase.allowed.includes(outcome) ? [] : [`case ${n}: ${outcome}`]
  })
}

/** Inserts the deal of each case: about its request n, or the request itself. */
async function insertCopies(
  { servers, sql }: TwoServers,
  numbers: number[],
  { place, state, seller, intentOf }: DealSetup,
): Promise<void> {
  const recorded = await recordedDeal(servers[0].services, state)
  const now = new Date()
  const copies = numbers.map((n) => {
    const id = 10 * n + place
    const ids = { wanted_items: [n], offers: [id, id + 1], payments: [id], payouts: [id] }
    return { ids, buyer: `ben-${n}`, seller: `${seller}-${n}`, now, ...(intentOf && { intentOf }) }
  })
  await insertDeals(sql, recorded, copies, { onExistingRequests: state !== 'posted' })
}

/** Matches generated ids, which are removed so that outcomes can be compared: `-n`, and `:10n+1` with an attempt. */
const idsOfCase = (n: number) => new RegExp(`-${n}\\b|:${10 * n + 1}(:\\d+)?\\b`, 'g')

async function runCase(actions: readonly RaceAction[], one: CaseContext, random: Random): Promise<string[]> {
  const answers = actions.map(() => 'no answer')
  const firstServer = random.below(2)
  await runConcurrently(
    random,
    actions.map((action, place) => async (delay) => {
      await delay()
      answers[place] = await action(one.two.servers[(firstServer + place) % 2 === 0 ? 0 : 1], one)
    }),
  )
  return answers
}
