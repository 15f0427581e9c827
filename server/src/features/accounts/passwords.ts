import { hash, verify } from '@node-rs/argon2'

/** argon2id with the package's defaults, which follow OWASP: 19 MiB, two passes, one lane. */
export const hashPassword = (password: string): Promise<string> => hash(password)

/** A hash that no password matches, checked where there is no account so that it takes as long as one. */
const nobody = hash('no account has this password')

/** Whether the password is right. Takes the same time whether or not there is an account behind it. */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  const right = await verify(stored ?? (await nobody), password)
  return right && typeof stored === 'string'
}
