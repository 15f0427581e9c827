import type { Part } from '../support/part.ts'
import { lineOfTests } from '../support/run-test-files.ts'

/** Single faults of the card provider, each with its expected outcome. */
export const providerFaults: Part = async () => [
  await lineOfTests('faults of the card provider', ['verification/simulation/provider-faults.test.ts']),
]
