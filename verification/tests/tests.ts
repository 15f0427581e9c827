import type { Part } from '../support/part.ts'
import { lineOfTaggedTests } from '../support/run-test-files.ts'

/** The tests that `npm test` leaves out. */
export const tests: Part = async () => [await lineOfTaggedTests('tests with the tag proof', 'proof')]
