import type { Tally } from '../support/counters.ts'

/** What came of a run. */
export interface Outcome {
  sequences: number
  /** What was wrong, with the seed and the stories that led to it; empty if nothing was. */
  wrong: string[]
  tally: Tally
}
