import { checkLedger } from '@sought/server/features/money/ledger/check-ledger'
import type { Line } from '../support/part.ts'
import type { Random } from '../support/random.ts'
import { deleteLeftovers, vacuum } from './cleanup.ts'
import type { CaseContext, RaceAction, RaceCase } from './non-payment-races.ts'
import { runConcurrently } from './run-concurrently.ts'
import { sessionIdOf, type TwoServers } from './two-servers.ts'

const FIRST = 1_000_000
const BATCH = 100
const WAVE = 10
const MAX_REPORTED = 10

const PEOPLE = `
  with people as (
    insert into users (id, email, first_name, last_name)
    select who || '-' || n, who || '-' || n || '@example.com', 'Race', who
    from generate_series($1::int, $2::int) n, (values ('ben'), ('sue'), ('tom')) three (who)
    returning id
  )
  insert into sessions (sid, sess, expire)
  select $3 || id, jsonb_build_object('userId', id, 'createdAt', now(), 'seenAt', now(), 'confirmedAt', now() + interval '1 day'), now() + interval '30 days'
  from people`

const REQUESTS = `
  insert into wanted_items (id, title, description, category, location, user_id)
  select n, 'Lamp', 'Green', 'Other', 'Ipoh', 'ben-' || n from generate_series($1::int, $2::int) n`

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
  await two.sql.query(PEOPLE, [...range, sessionIdOf('')])
  await two.sql.query(REQUESTS, range)
  for (const statement of raceCase.setup) await two.sql.query(statement, range)
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
