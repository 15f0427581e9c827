import type { Part } from '../support/part.ts'
import { lineOfTests } from '../support/run-test-files.ts'

/** `npm test` runs these files without the tests that have the tag `proof`. */
export const access: Part = async () => [
  await lineOfTests('access of every role to every call', ['verification/access/access.test.ts']),
  await lineOfTests('blocks and suspensions against every call', [
    'verification/access/blocks-and-suspensions.test.ts',
  ]),
  await lineOfTests('attacks on signing in', [
    'server/src/features/identity/accounts/sign-in-attacks.test.ts',
  ]),
]
