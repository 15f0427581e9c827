import type { Line, Part, Trying } from '../support/part.ts'
import { seeded } from '../support/random.ts'
import { answer, doApart } from '../support/worker-processes.ts'
import { GivenDeals, givenPeople } from './deal-fixtures.ts'
import { type SceneName, scenes } from './payment-model.ts'
import { runBeside } from './run-non-payment-races.ts'
import { runScene } from './run-payment-races.ts'
import { openTwoServers } from './two-servers.ts'

const TIMES = 1_000
/** Less is done sooner in one process than several are started. */
const WORTH_PROCESSES = 0.01

/** The races of a scene, or those beside the money. */
type Field = SceneName | 'beside'

interface Piece extends Trying {
  fields: Field[]
}

interface Result {
  lines: Line[]
  waits: string[]
}

/** Races of pairs and threes on two servers, and those beside the money. */
export const races: Part = async (trying) => {
  const fields: Field[] = ['beside', ...(Object.keys(scenes) as SceneName[])]
  const results =
    trying.share < WORTH_PROCESSES
      ? [await race({ ...trying, fields })]
      : await doApart(
          import.meta.filename,
          fields.map((field, place): Piece => ({ ...trying, fields: [field], seed: trying.seed + place })),
          ended,
        )
  return [
    ...results.flatMap(({ lines }) => lines),
    {
      what: 'races: deadlocks, and waits of over two seconds',
      times: results.length,
      violations: results.flatMap(({ waits }) => waits),
    },
  ]
}

const ended = ({ fields, seed }: Piece): Result => ({
  lines: [{ what: `races: ${fields}`, times: 0, violations: [`seed ${seed}: the process ended`] }],
  waits: [],
})

/** All that is raced on the same two servers. */
async function race({ fields, postgresUrl, seed, share }: Piece): Promise<Result> {
  const random = seeded(seed)
  const two = await openTwoServers(postgresUrl, random.split())
  const deals = new GivenDeals(two.sql, two.provider)
  const lines: Line[] = []
  let waits: string[] = []
  try {
    await givenPeople(two.sql)
    for (const field of fields) lines.push(...(await raceIn(field)))
  } finally {
    waits = await two.close()
  }
  return { lines, waits }

  async function raceIn(field: Field): Promise<Line[]> {
    return field === 'beside'
      ? runBeside(two, random.split(), share)
      : [await runScene(two, deals, field, random.split(), TIMES * share)]
  }
}

if (import.meta.main) await answer(race)
