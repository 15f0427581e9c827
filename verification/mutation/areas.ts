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
/** All tests about money. */
const moneyTests = [
  `${features}/money/{payments,payouts,ledger,disputes}/*.test.ts`,
  `${features}/privacy/personal-data/*.test.ts`,
  'server/src/providers/stripe/*.test.ts',
  'verification/simulation/provider-faults.test.ts',
]
/** Test files outside the folder of a feature that test it too. */
const MORE_TESTS: Record<string, string[]> = {
  accounts: [`${features}/{identity/second-factors,privacy/personal-data}/*.test.ts`],
  payments: [...moneyTests, `${features}/fulfilment/deliveries/*.test.ts`],
  payouts: moneyTests,
  'dispute-records': moneyTests,
  ledger: moneyTests,
  disputes: [...moneyTests, `${features}/identity/second-factors/*.test.ts`],
  deliveries: [`${features}/identity/second-factors/*.test.ts`],
  sellers: [`${features}/money/payouts/*.test.ts`],
  messages: [`${features}/{trust/blocks,desk/moderation,notifications,privacy/personal-data}/*.test.ts`],
  notifications: [`${features}/deals/messages/*.test.ts`],
  offers: [`${features}/{trust/blocks,desk/moderation,privacy/personal-data}/*.test.ts`],
  requests: [
    `${features}/{desk/market,desk/moderation,privacy/personal-data}/*.test.ts`,
    `${features}/money/payments/reservation.test.ts`,
  ],
  'personal-data': [`${features}/identity/accounts/*.test.ts`],
  places: [`${features}/board/requests/filters.test.ts`],
}

/** Tests of features that reach most of the infrastructure. */
const GENERAL_TESTS = [`${features}/{identity/accounts,board/requests}/*.test.ts`]

/** These files run in separate processes, where Stryker activates no mutant. */
const IN_OTHER_PROCESSES = [`${features}/board/places/read-gazetteer.ts`, 'server/src/files/image-decoder.ts']

const area = (folder: string, tests: string[]): Area => ({
  name: folder.replace(/^server\/src\/|\/src$/g, '').replaceAll('/', '-'),
  files: globSync(`${folder}/**/!(*.test).ts`, { cwd: root }).filter(
    (file) => !IN_OTHER_PROCESSES.includes(file),
  ),
  tests,
})

export const areas: Area[] = [
  area('escrow/src', ['escrow/src/*.test.ts']),
  ...globSync(`${features}/{users,notifications,site,*/*/}`, { cwd: root }).map((folder) =>
    area(folder, [`${folder}/**/*.test.ts`, ...(MORE_TESTS[basename(folder)] ?? [])]),
  ),
  area('server/src/providers/stripe', moneyTests),
  area('server/src/providers/google', [`${features}/identity/accounts/*.test.ts`]),
  ...['core', 'database', 'files', 'http', 'runtime', 'pages'].map((room) =>
    area(`server/src/${room}`, [`server/src/${room}/*.test.ts`, ...GENERAL_TESTS]),
  ),
]
