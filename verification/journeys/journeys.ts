import { runJourneys } from '../../scripts/journeys.ts'
import type { Part } from '../support/part.ts'

/** All browser journeys. `npm test` runs those without the tag @proof. */
export const journeys: Part = async () => {
  const { passed, failed, output } = await runJourneys('all')
  return [{ what: 'browser journeys', times: passed + failed, violations: failed > 0 ? [output] : [] }]
}
