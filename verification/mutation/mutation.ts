import type { Part } from '../support/part.ts'
import { runMutants } from './mutants.ts'
import { runGuards } from './run-guards.ts'

/** Tests of the tests: each guard is removed and each condition changed, and a test must fail. */
export const mutation: Part = async (options) => [
  ...(await runGuards(options)),
  ...(await runMutants(options)),
]
