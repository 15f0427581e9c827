import { hash, verify } from '@node-rs/argon2'
import { refuse } from '../../platform/errors.ts'

/** As many as two cores get through in a second or two: whoever comes then is told to come again. */
const MOST_AT_ONCE = 64
let underWay = 0

/** Hashing is meant to be slow, so that a flood of sign-ins would hold up everything else that threads do. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (underWay >= MOST_AT_ONCE) throw refuse('unavailable', { retryAfterSeconds: 2 })
  underWay++
  try {
    return await work()
  } finally {
    underWay--
  }
}

/** argon2id with the package's defaults, which follow OWASP: 19 MiB, two passes, one lane. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password))

/** A hash that no password matches, checked where there is no account so that it takes as long as one. */
const nobody = hash('no account has this password')

/** Whether the password is right. Takes the same time whether or not there is an account behind it. */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  const right = await inTurn(async () => verify(stored ?? (await nobody), password))
  return right && typeof stored === 'string'
}
