import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import type { Random } from '../support/random.ts'

type Breath = () => Promise<void>

const MOST_TURNS = 6

/** Breaths before each of several acts: none, a few turns of the loop, or so long that one is well under way. */
export function delays(random: Random, count: number): Breath[] {
  const longestMs = random.weighted([
    [0, 4],
    [3, 3],
    [15, 3],
  ])
  return Array.from({ length: count }, () => {
    const turns = random.below(MOST_TURNS)
    const ms = random.below(longestMs + 1)
    return async () => {
      for (let left = turns; left > 0; left--) await turn()
      if (ms > 0) await wait(ms)
    }
  })
}

/** How many are let finish before the next begins: mostly none, so that all are under way together. */
const HEAD_STARTS = [
  [0, 14],
  [1, 3],
  [Number.POSITIVE_INFINITY, 3],
] as const

/** Does them all at the same moment, in an order and with breaths of chance; now and then one after the other. */
export async function atOnce(
  random: Random,
  acts: readonly ((breath: Breath) => Promise<void>)[],
): Promise<void> {
  const breaths = delays(random, acts.length)
  const headStarts = random.weighted(HEAD_STARTS)
  const underWay: Promise<void>[] = []
  for (const [started, place] of shuffled(random, acts.length).entries()) {
    const act = acts[place]?.(breaths[place] ?? turn)
    if (act) underWay.push(act)
    if (started < headStarts) await act
  }
  await Promise.all(underWay)
}

/** The numbers below a limit, in an order of chance. */
function shuffled(random: Random, limit: number): number[] {
  const left = Array.from({ length: limit }, (_, place) => place)
  return Array.from({ length: limit }, () => left.splice(random.below(left.length), 1)).flat()
}
