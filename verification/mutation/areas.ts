import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { root } from '../../scripts/child.ts'

/** Source files, and the tests that must notice their mutants. */
export interface Area {
  /** Used in file names and in the table. */
  name: string
  files: string[]
  /** Patterns of test files. */
  tests: string[]
}

const features = 'server/src/features'
/** Tests of money, wherever it moves. */
const moneyTests = [
  `${features}/{payments,payouts,ledger,disputes,personal-data}/*.test.ts`,
  'server/src/providers/stripe/*.test.ts',
  'verification/simulation/provider-faults.test.ts',
]
/** Test files outside the folder of a feature that test it too. */
const MORE_TESTS: Record<string, string[]> = {
  accounts: [`${features}/{second-factors,personal-data}/*.test.ts`],
  payments: [...moneyTests, `${features}/deliveries/*.test.ts`],
  payouts: moneyTests,
  ledger: moneyTests,
  disputes: [...moneyTests, `${features}/second-factors/*.test.ts`],
  deliveries: [`${features}/second-factors/*.test.ts`],
  sellers: [`${features}/payouts/*.test.ts`],
  messages: [`${features}/{blocks,moderation,notifications,personal-data}/*.test.ts`],
  notifications: [`${features}/messages/*.test.ts`],
  offers: [`${features}/{blocks,moderation,personal-data}/*.test.ts`],
  requests: [
    `${features}/{market,moderation,personal-data}/*.test.ts`,
    `${features}/payments/reservation.test.ts`,
  ],
  'personal-data': [`${features}/accounts/*.test.ts`],
  places: [`${features}/requests/filters.test.ts`],
}

/** These run in processes of their own, where Stryker activates no mutant. */
const IN_OTHER_PROCESSES = [`${features}/places/read-gazetteer.ts`, 'server/src/platform/image-decoder.ts']

const area = (folder: string, tests: string[]): Area => ({
  name: folder.replace(/^server\/src\/|\/src$/g, '').replaceAll('/', '-'),
  files: globSync(`${folder}/!(*.test).ts`, { cwd: root }).filter(
    (file) => !IN_OTHER_PROCESSES.includes(file),
  ),
  tests,
})

export const areas: Area[] = [
  area('escrow/src', ['escrow/src/*.test.ts']),
  ...globSync(`${features}/*`, { cwd: root }).map((folder) =>
    area(folder, [`${folder}/*.test.ts`, ...(MORE_TESTS[basename(folder)] ?? [])]),
  ),
  area('server/src/providers/stripe', moneyTests),
  area('server/src/providers/google', [`${features}/accounts/*.test.ts`]),
  area('server/src/platform', ['server/src/platform/*.test.ts', `${features}/{accounts,requests}/*.test.ts`]),
]
