import { checkLedger } from '@sought/server/features/ledger/check-ledger'
import type { Line } from '../support/part.ts'
import type { Random } from '../support/random.ts'
import { clearAway, vacuum } from './cleanup.ts'
import type { GivenDeals } from './deal-fixtures.ts'
import { allRaces, asTold, type Endings, ending, endingsOf, nameOf, type Race } from './outcomes.ts'
import { type ActName, OK, type SceneName, scenes } from './payment-model.ts'
import { fire, sweep } from './perform-action.ts'
import { lookAt } from './read-deals.ts'
import { atOnce, delays } from './run-concurrently.ts'
import type { TwoServers } from './two-servers.ts'

/** Deals are written and looked at by so many, and so many races are run at a time. */
const BATCH = 240
const WAVE = 24
const BATCHES_BETWEEN_VACUUMS = 25
/** With so many of each, an act that could win and never did was not raced. */
const ENOUGH_TO_WIN = 500
const MOST_TOLD = 20

interface Contest extends Race {
  name: string
  endings: Endings
  planned: number
  seen: Set<string>
  /** How often each act was done rather than refused, by its place. */
  wins: number[]
  times: number
}

/** One try of a race, with the deal that it is about. */
interface Try {
  contest: Contest
  deal: number
  random: Random
  answers: string[]
}

/**
 * The races of a scene. Every pair and three is run so many times: all of them in the only scene that it has, or half
 * of them in each. Less than once is that share of the races, whichever they are.
 */
export async function runScene(
  two: TwoServers,
  deals: GivenDeals,
  scene: SceneName,
  random: Random,
  times: number,
): Promise<Line> {
  const contests = contestsOf(scene, random, times)
  const violations: string[] = []
  let batches = 0
  // A sweep releases whatever is due, so that races with and without it cannot run side by side.
  for (const alike of Map.groupBy(contests, sweepsIn).values()) {
    const planned = inTurns(alike)
    for (let from = 0; from < planned.length; from += BATCH) {
      const batch = planned.slice(from, from + BATCH)
      const numbers = await deals.make(scenes[scene], batch.length)
      const tries = batch.map((contest, place) => asTry(contest, numbers[place], random.split()))
      for (let at = 0; at < tries.length; at += WAVE) await runWave(two, deals, tries.slice(at, at + WAVE))
      violations.push(...(await judge(two, tries)))
      await clearAway(two)
      if (planned.length > BATCH && ++batches % BATCHES_BETWEEN_VACUUMS === 1) await vacuum(two)
    }
  }
  violations.push(...contests.flatMap(wasNoRace))
  if (batches > 0) await vacuum(two)
  violations.push(...(await checkLedger(two.servers[0].services.database.read, null)).problems)
  return {
    what: `races: ${scene}; ${contests.length} pairs and threes, ${endingsSeen(contests)}`,
    times: contests.reduce((sum, { times }) => sum + times, 0),
    violations: violations.slice(0, MOST_TOLD),
  }
}

function contestsOf(scene: SceneName, random: Random, times: number): Contest[] {
  const scenesOf = Map.groupBy(allRaces(), actsOf)
  return allRaces()
    .filter((race) => race.scene === scene && (times >= 1 || random.chance(times)))
    .map((race) => asContest(race, Math.ceil(times / (scenesOf.get(actsOf(race))?.length === 1 ? 1 : 2))))
}

const actsOf = ({ acts }: Race) => acts.join(' + ')

/** One try of each, and then the next of each, until all have had theirs. */
function inTurns(contests: Contest[]): Contest[] {
  const most = Math.max(...contests.map(({ planned }) => planned))
  return Array.from({ length: most }, (_, turn) => contests.filter(({ planned }) => turn < planned)).flat()
}

function endingsSeen(contests: Contest[]): string {
  const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0)
  const possible = sum(contests.map(({ endings }) => endings.all.size))
  return `${sum(contests.map(({ seen }) => seen.size))} of ${possible} endings`
}

const asContest = (race: Race, planned: number): Contest => ({
  ...race,
  planned,
  name: nameOf(race),
  endings: endingsOf(race),
  seen: new Set(),
  wins: race.acts.map(() => 0),
  times: 0,
})

const asTry = (contest: Contest, deal: number | undefined, random: Random): Try => {
  if (deal === undefined) throw new Error('there is a deal for each try')
  return { contest, deal, random, answers: contest.acts.map(() => 'no answer') }
}

const sweepsIn = ({ acts }: Race) => acts.filter((act) => act === 'auto-release').length

/** Everything of a wave is under way at the same time; only the acts of one race touch the same deal. */
async function runWave(two: TwoServers, deals: GivenDeals, tries: Try[]): Promise<void> {
  const [first] = tries
  if (!first) return
  const { contest, random } = first
  if (scenes[contest.scene].due) await deals.makeDue(tries.map(({ deal }) => deal))
  const sweeps = delays(random, sweepsIn(contest)).map(async (breath, nth) => {
    await breath()
    await sweep(two.servers[nth % 2 === 0 ? 0 : 1])
  })
  await Promise.all([...sweeps, ...tries.map((one) => runTry(two, one))])
}

async function runTry(two: TwoServers, { contest, deal, random, answers }: Try): Promise<void> {
  const { acts } = contest
  const firstServer = random.below(2)
  const run = async (act: ActName, place: number, breath: () => Promise<void>) => {
    if (act === 'auto-release') return
    await breath()
    const nth = acts.slice(0, place).filter((other) => other === act).length
    const server = two.servers[(firstServer + place) % 2 === 0 ? 0 : 1]
    answers[place] = await fire(server, two.provider, act, deal, nth)
  }
  await atOnce(
    random,
    acts.map((act, place) => (breath) => run(act, place, breath)),
  )
}

/** Holds what became of the deals against what may. */
async function judge({ sql }: TwoServers, tries: Try[]): Promise<string[]> {
  const found = await lookAt(
    sql,
    tries.map(({ deal }) => deal),
  )
  return tries.flatMap(({ contest, deal, answers }) => {
    const now = found.get(deal)
    if (!now) return [`${contest.name}: the offer ${deal} is gone`]
    const lapsed = now.told.includes('buyer funds_released')
    const told = asTold(contest.acts, answers, lapsed)
    contest.times++
    for (const [place, answer] of told.entries())
      if (answer === OK) contest.wins[place] = (contest.wins[place] ?? 0) + 1
    const ended = ending(told, now)
    contest.seen.add(ended)
    return contest.endings.all.has(ended) ? [] : [`${contest.name}, deal ${deal}: ${ended}`]
  })
}

/** Who could have won and never did, however often it was tried; or that it always came to the same. */
function wasNoRace({ name, acts, endings, seen, wins, times }: Contest): string[] {
  if (times < ENOUGH_TO_WIN) return []
  const neverWon = acts.filter((_, place) => endings.canWin[place] && wins[place] === 0)
  const always = seen.size === 1 && endings.ofOrders.size > 1 ? [`${name}: always ended the same way`] : []
  return [...neverWon.map((act) => `${name}: ${act} never won in ${times} tries`), ...always]
}
