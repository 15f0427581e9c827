import { seeded } from '../model/random.ts'
import { givenPeople } from '../races/given-deals.ts'
import { runBeside } from '../races/run-beside.ts'
import { runRaces } from '../races/run-races.ts'
import { openTwoServers } from '../races/two-servers.ts'
import type { Line, Part } from './part.ts'

const TIMES = 1_000

/** Races of pairs and threes on two servers, and those beside the money. */
export const races: Part = async ({ postgresUrl, seed, share }) => {
  const random = seeded(seed)
  const two = await openTwoServers(postgresUrl, random.split())
  const lines: Line[] = []
  try {
    await givenPeople(two.sql)
    lines.push(...(await runBeside(two, random.split(), share)))
    lines.push(...(await runRaces(two, random.split(), TIMES * share)))
  } finally {
    const waits = await two.close()
    lines.push({ what: 'races: deadlocks, and waits of over two seconds', times: 1, violations: waits })
  }
  return lines
}
