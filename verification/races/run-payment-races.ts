import { checkLedger } from '@sought/server/features/money/ledger/check-ledger'
import type { Line } from '../support/part.ts'
import type { Random } from '../support/random.ts'
import { deleteLeftovers, vacuum } from './cleanup.ts'
import type { DealFixtures } from './deal-fixtures.ts'
import {
  allRaces,
  describeOutcome,
  nameOf,
  normalizeAnswers,
  type Outcomes,
  outcomesOf,
  type Race,
} from './outcomes.ts'
import { type ActionName, OK, type StartName, starts } from './payment-model.ts'
import { performAction, sweep } from './perform-action.ts'
import { readDeals } from './read-deals.ts'
import { randomDelays, runConcurrently } from './run-concurrently.ts'
import type { TwoServers } from './two-servers.ts'

/** Deals that are created and checked together. */
const BATCH = 240
/** Races that run concurrently. */
const WAVE = 24
const BATCHES_BETWEEN_VACUUMS = 25
/** After this many races, an action that can win must have won once. */
const ENOUGH_TO_WIN = 500
const MAX_REPORTED = 20

interface Contest extends Race {
  name: string
  outcomes: Outcomes
  planned: number
  seen: Set<string>
  /** How often each action succeeded. */
  wins: number[]
  times: number
}

/** One run of a race on its own deal. */
interface Try {
  contest: Contest
  deal: number
  random: Random
  answers: string[]
}

/**
 * Runs the races of a start state. A race that is possible in only one start state runs `times` times. A race that
 * is possible in several start states runs half as often in each. If `times` is below 1, it is the share of races
 * that run once.
 */
export async function runPaymentRaces(
  two: TwoServers,
  deals: DealFixtures,
  start: StartName,
  random: Random,
  times: number,
): Promise<Line> {
  const contests = contestsOf(start, random, times)
  const violations: string[] = []
  let batches = 0
  // A sweep releases all due payments, so races with and without sweeps cannot run concurrently.
  for (const group of Map.groupBy(contests, sweepsIn).values()) {
    const planned = interleave(group)
    for (let from = 0; from < planned.length; from += BATCH) {
      const batch = planned.slice(from, from + BATCH)
      const numbers = await deals.create(starts[start], batch.length)
      const tries = batch.map((contest, place) => createTry(contest, numbers[place], random.split()))
      for (let at = 0; at < tries.length; at += WAVE) await runWave(two, deals, tries.slice(at, at + WAVE))
      violations.push(...(await checkOutcomes(two, tries)))
      await deleteLeftovers(two)
      if (planned.length > BATCH && ++batches % BATCHES_BETWEEN_VACUUMS === 1) await vacuum(two)
    }
  }
  violations.push(...contests.flatMap(findRacesWithoutContention))
  if (batches > 0) await vacuum(two)
  violations.push(...(await checkLedger(two.servers[0].services.database.read, null)).problems)
  return {
    what: `races: ${start}; ${contests.length} pairs and triples, ${seenOutcomes(contests)}`,
    times: contests.reduce((sum, { times }) => sum + times, 0),
    violations: violations.slice(0, MAX_REPORTED),
  }
}

function contestsOf(start: StartName, random: Random, times: number): Contest[] {
  const startsOf = Map.groupBy(allRaces(), actionNames)
  return allRaces()
    .filter((race) => race.start === start && (times >= 1 || random.chance(times)))
    .map((race) =>
      createContest(race, Math.ceil(times / (startsOf.get(actionNames(race))?.length === 1 ? 1 : 2))),
    )
}

const actionNames = ({ actions }: Race) => actions.join(' + ')

/** One run of each race, then the next run of each, and so on. */
function interleave(contests: Contest[]): Contest[] {
  const most = Math.max(...contests.map(({ planned }) => planned))
  return Array.from({ length: most }, (_, turn) => contests.filter(({ planned }) => turn < planned)).flat()
}

function seenOutcomes(contests: Contest[]): string {
  const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0)
  const possible = sum(contests.map(({ outcomes }) => outcomes.all.size))
  return `${sum(contests.map(({ seen }) => seen.size))} of ${possible} outcomes`
}

const createContest = (race: Race, planned: number): Contest => ({
  ...race,
  planned,
  name: nameOf(race),
  outcomes: outcomesOf(race),
  seen: new Set(),
  wins: race.actions.map(() => 0),
  times: 0,
})

const createTry = (contest: Contest, deal: number | undefined, random: Random): Try => {
  if (deal === undefined) throw new Error('a deal is missing')
  return { contest, deal, random, answers: contest.actions.map(() => 'no answer') }
}

const sweepsIn = ({ actions }: Race) => actions.filter((action) => action === 'auto-release').length

/** The races of a wave run concurrently, each on its own deal. */
async function runWave(two: TwoServers, deals: DealFixtures, tries: Try[]): Promise<void> {
  const [first] = tries
  if (!first) return
  const { contest, random } = first
  if (starts[contest.start].due) await deals.makeDue(tries.map(({ deal }) => deal))
  const sweeps = randomDelays(random, sweepsIn(contest)).map(async (delay, nth) => {
    await delay()
    await sweep(two.servers[nth % 2 === 0 ? 0 : 1])
  })
  await Promise.all([...sweeps, ...tries.map((one) => runTry(two, one))])
}

async function runTry(two: TwoServers, { contest, deal, random, answers }: Try): Promise<void> {
  const { actions } = contest
  const firstServer = random.below(2)
  const run = async (action: ActionName, place: number, delay: () => Promise<void>) => {
    if (action === 'auto-release') return
    await delay()
    const nth = actions.slice(0, place).filter((other) => other === action).length
    const server = two.servers[(firstServer + place) % 2 === 0 ? 0 : 1]
    answers[place] = await performAction(server, two.provider, action, deal, nth)
  }
  await runConcurrently(
    random,
    actions.map((action, place) => (delay) => run(action, place, delay)),
  )
}

/** Compares the deals with the possible outcomes. */
async function checkOutcomes({ sql }: TwoServers, tries: Try[]): Promise<string[]> {
  const deals = await readDeals(
    sql,
    tries.map(({ deal }) => deal),
  )
  return tries.flatMap(({ contest, deal, answers }) => {
    const now = deals.get(deal)
    if (!now) return [`${contest.name}: the offer ${deal} is missing`]
    const wasReleased = ['buyer funds_released', 'buyer deal_expired'].some((told) =>
      now.notified.includes(told),
    )
    const normalized = normalizeAnswers(contest.actions, answers, wasReleased)
    contest.times++
    for (const [place, answer] of normalized.entries())
      if (answer === OK) contest.wins[place] = (contest.wins[place] ?? 0) + 1
    const outcome = describeOutcome(normalized, now)
    contest.seen.add(outcome)
    return contest.outcomes.all.has(outcome) ? [] : [`${contest.name}, deal ${deal}: ${outcome}`]
  })
}

/** Finds races in which a possible winner never won, or whose outcome was always the same. */
function findRacesWithoutContention({ name, actions, outcomes, seen, wins, times }: Contest): string[] {
  if (times < ENOUGH_TO_WIN) return []
  const neverWon = actions.filter((_, place) => outcomes.canWin[place] && wins[place] === 0)
  const always = seen.size === 1 && outcomes.ofOrders.size > 1 ? [`${name}: always had the same outcome`] : []
  return [...neverWon.map((action) => `${name}: ${action} never won in ${times} tries`), ...always]
}
