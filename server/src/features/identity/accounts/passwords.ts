import { hash, verify } from '@node-rs/argon2'
import { refuse } from '../../../core/errors.ts'

/**
 * The number of passwords that two cores can hash in one or two seconds. Further requests are refused with
 * Retry-After.
 */
const MAX_CONCURRENT = 64
let running = 0

/** Hashing is slow by design, so a flood of sign-ins would block all other work of the thread pool. */
async function limitConcurrency<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= MAX_CONCURRENT) throw refuse('unavailable', { retryAfterSeconds: 2 })
  running++
  try {
    return await work()
  } finally {
    running--
  }
}

/** OWASP's recommendation for argon2id: 19 MiB, two passes, one lane. Only tests lower it. */
export const hashingCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> =>
  limitConcurrency(() => hash(password, hashingCost))

/** Compared when there is no account, so that the reply takes the same time. */
const dummyHash = hash('no account has this password', hashingCost)

/** Takes the same time whether or not the account exists. */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  const matches = await limitConcurrency(async () => verify(stored ?? (await dummyHash), password))
  return matches && typeof stored === 'string'
}
