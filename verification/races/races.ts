import type { Line, Part, RunOptions } from '../support/part.ts'
import { seeded } from '../support/random.ts'
import { runAsWorker, runInProcesses } from '../support/worker-processes.ts'
import { accountSecurityRaces } from './account-security-races.ts'
import { caseworkRaces } from './casework-races.ts'
import { DealFixtures, insertTraders } from './deal-fixtures.ts'
import { limitRaces } from './limit-races.ts'
import { type RaceCase, raceCases } from './non-payment-races.ts'
import { type StartName, starts } from './payment-model.ts'
import { providerFactRaces } from './provider-fact-races.ts'
import { createCaseNumbers, runNonPaymentRaces } from './run-non-payment-races.ts'
import { runPaymentRaces } from './run-payment-races.ts'
import { openTwoServers } from './two-servers.ts'

const TIMES = 1_000
/** For a smaller share, starting several processes would take longer than the work. */
const LEAST_SHARE_FOR_PROCESSES = 0.01

/** The payment races from one start state, or races that are not about payments. */
type Group = StartName | keyof typeof otherRaces | 'limits'

const otherRaces = {
  'not payments': [...providerFactRaces, ...raceCases],
  'account security': accountSecurityRaces,
  casework: caseworkRaces,
} as const

const allGroups: Group[] = [
  'not payments',
  'account security',
  'casework',
  'limits',
  ...(Object.keys(starts) as StartName[]),
]

interface Task extends RunOptions {
  groups: Group[]
}

interface Result {
  lines: Line[]
  lockProblems: string[]
}

/** Pairs and triples of concurrent actions on two servers. */
export const races: Part = async (options) => {
  const groups = allGroups.filter((group) => group.includes(options.only ?? ''))
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

async function runGroups(task: Task): Promise<Result> {
  const limited = task.groups.filter((group) => group === 'limits')
  const others = task.groups.filter((group) => group !== 'limits')
  const results = [
    ...(others.length > 0 ? [await runOnTwoServers({ ...task, groups: others }, 'off')] : []),
    ...(limited.length > 0 ? [await runOnTwoServers({ ...task, groups: limited }, 'on')] : []),
  ]
  return {
    lines: results.flatMap(({ lines }) => lines),
    lockProblems: results.flatMap(({ lockProblems }) => lockProblems),
  }
}

async function runOnTwoServers(
  { groups, postgresUrl, seed, share }: Task,
  rateLimit: 'on' | 'off',
): Promise<Result> {
  const random = seeded(seed)
  const two = await openTwoServers(postgresUrl, random.split(), rateLimit)
  const deals = new DealFixtures(two)
  const lines: Line[] = []
  let lockProblems: string[] = []
  const nextCase = createCaseNumbers()
  const runOthers = (cases: readonly RaceCase[]) =>
    runNonPaymentRaces(two, cases, random.split(), share, nextCase)
  try {
    await insertTraders(two)
    for (const group of groups) {
      if (group === 'limits') lines.push(...(await runOthers(limitRaces)))
      else if (isOther(group)) lines.push(...(await runOthers(otherRaces[group])))
      else lines.push(await runPaymentRaces(two, deals, group, random.split(), TIMES * share))
    }
  } finally {
    lockProblems = await two.close()
  }
  return { lines, lockProblems }
}

const isOther = (group: Group): group is keyof typeof otherRaces => group in otherRaces

if (import.meta.main) await runAsWorker(runGroups)
