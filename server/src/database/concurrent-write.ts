import { refuse } from '../core/errors.ts'

const MAX_ATTEMPTS = 5

/**
 * Thrown if another transaction added something that this one had just ended. This one is rolled back and retried.
 */
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
