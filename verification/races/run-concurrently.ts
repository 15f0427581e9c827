import { setImmediate as tick, setTimeout as wait } from 'node:timers/promises'
import type { Random } from '../support/random.ts'

type Delay = () => Promise<void>

const MAX_TICKS = 6

/**
 * Delays for several actions: none, a few ticks of the event loop, or long enough for another action to be halfway.
 */
export function randomDelays(random: Random, count: number): Delay[] {
  const longestMs = random.weighted([
    [0, 4],
    [3, 3],
    [15, 3],
  ])
  return Array.from({ length: count }, () => {
    const ticks = random.below(MAX_TICKS)
    const ms = random.below(longestMs + 1)
    return async () => {
      for (let left = ticks; left > 0; left--) await tick()
      if (ms > 0) await wait(ms)
    }
  })
}

/** The number of actions that finish before the next one starts: usually none. */
const SEQUENTIAL_STARTS = [
  [0, 14],
  [1, 3],
  [Number.POSITIVE_INFINITY, 3],
] as const

/** Runs the actions concurrently in random order with random delays, and sometimes one after the other. */
export async function runConcurrently(
  random: Random,
  actions: readonly ((delay: Delay) => Promise<void>)[],
): Promise<void> {
  const delays = randomDelays(random, actions.length)
  const sequential = random.weighted(SEQUENTIAL_STARTS)
  const running: Promise<void>[] = []
  for (const [started, place] of shuffled(random, actions.length).entries()) {
    const action = actions[place]?.(delays[place] ?? tick)
    if (action) running.push(action)
    if (started < sequential) await action
  }
  await Promise.all(running)
}

/** The numbers below a limit in random order. */
function shuffled(random: Random, limit: number): number[] {
  const left = Array.from({ length: limit }, (_, place) => place)
  return Array.from({ length: limit }, () => left.splice(random.below(left.length), 1)).flat()
}
