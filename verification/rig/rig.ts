import type { Part } from '../support/part.ts'
import { lineOfTests } from '../support/run-test-files.ts'

/** Tests of the verification code itself, because a check that never fails proves nothing. */
export const rig: Part = async () => [
  await lineOfTests('tests of the fuzz checks', ['verification/fuzz/check-response.test.ts']),
  await lineOfTests('tests of the race model', ['verification/races/outcomes.test.ts']),
  await lineOfTests('tests of the crash points', ['verification/crash/run-crash-points.test.ts']),
  await lineOfTests('tests of the search for refusals', ['verification/mutation/find-refusals.test.ts']),
  await lineOfTests('tests of copies of the project', ['verification/support/link-packages.test.ts']),
]
