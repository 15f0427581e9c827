import type { Line, Part, RunOptions } from '../support/part.ts'
import { seeded } from '../support/random.ts'
import { runAsWorker, runInProcesses } from '../support/worker-processes.ts'
import { DealFixtures, insertPeople } from './deal-fixtures.ts'
import { type StartName, starts } from './payment-model.ts'
import { runNonPaymentRaces } from './run-non-payment-races.ts'
import { runPaymentRaces } from './run-payment-races.ts'
import { openTwoServers } from './two-servers.ts'

const TIMES = 1_000
/** A smaller share is done sooner than several processes are started. */
const LEAST_SHARE_FOR_PROCESSES = 0.01

/** The payment races from one starting state, or the races that are not about payments. */
type Group = StartName | 'not payments'

interface Task extends RunOptions {
  groups: Group[]
}

interface Result {
  lines: Line[]
  lockProblems: string[]
}

/** Pairs and triples of concurrent actions on two servers. */
export const races: Part = async (options) => {
  const groups: Group[] = ['not payments', ...(Object.keys(starts) as StartName[])]
  const results =
    options.share < LEAST_SHARE_FOR_PROCESSES
      ? [await runGroups({ ...options, groups })]
      : await runInProcesses(
          import.meta.filename,
          groups.map((group, index): Task => ({ ...options, groups: [group], seed: options.seed + index })),
          processEnded,
        )
  return [
    ...results.flatMap(({ lines }) => lines),
    {
      what: 'races: deadlocks, and lock waits of over two seconds',
      times: results.length,
      violations: results.flatMap(({ lockProblems }) => lockProblems),
    },
  ]
}

const processEnded = ({ groups, seed }: Task): Result => ({
  lines: [{ what: `races: ${groups}`, times: 0, violations: [`seed ${seed}: the process ended`] }],
  lockProblems: [],
})

async function runGroups({ groups, postgresUrl, seed, share }: Task): Promise<Result> {
  const random = seeded(seed)
  const two = await openTwoServers(postgresUrl, random.split())
  const deals = new DealFixtures(two.sql, two.provider)
  const lines: Line[] = []
  let lockProblems: string[] = []
  try {
    await insertPeople(two.sql)
    for (const group of groups) {
      if (group === 'not payments') lines.push(...(await runNonPaymentRaces(two, random.split(), share)))
      else lines.push(await runPaymentRaces(two, deals, group, random.split(), TIMES * share))
    }
  } finally {
    lockProblems = await two.close()
  }
  return { lines, lockProblems }
}

if (import.meta.main) await runAsWorker(runGroups)
