import { refuse } from './errors.ts'

const MAX_ATTEMPTS = 5

/** A transaction found that somebody has added what it had just ended. It is rolled back and tried again. */
export class ConcurrentWrite extends Error {}

export async function retryConcurrentWrites<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ConcurrentWrite)) throw error
      if (attempt === MAX_ATTEMPTS) throw refuse('unavailable', { retryAfterSeconds: 1 })
    }
  }
}
