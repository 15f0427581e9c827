import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const unitTestsOf = (name: string) => ({
  test: { name, root: name, include: ['src/**/*.test.ts'], isolate: false },
})

const startPostgres = join(import.meta.dirname, 'server/src/testing/start-postgres.ts')

/** Limits for a busy machine. On an idle one, no test takes a tenth of them. */
const limits = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000, interval: 30 } },
}

/**
 * Node itself loads these files, as in production, and only once for all test files of a worker. They are one
 * project, because a worker that changes to another project starts again and reloads everything.
 */
const testsOnPostgres = {
  test: {
    name: 'server',
    include: [
      'server/src/**/*.test.ts',
      'sandbox/src/**/*.test.ts',
      'verification/{access,mutation}/*.test.ts',
    ],
    globalSetup: startPostgres,
    ...limits,
    experimental: { viteModuleRunner: false },
    isolate: false,
  },
}

/**
 * Tests that wait for processes and clocks take longest, so they come first, and no worker is left with one at the
 * end.
 */
const LONGEST = /verification\/|(disputes|payouts|process-roles|database-outage)\.test/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.test(moduleId)
    const longestFirst = [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
    // A worker that changes to another project reloads all modules, so the files of a project stay together.
    return [...Map.groupBy(longestFirst, ({ project }) => project.name).values()].flat()
  }
}

export default defineConfig({
  test: {
    // `npm test` leaves out the tests with this tag, and `npm run proof -- tests` runs them.
    tags: [{ name: 'proof' }],
    sequence: { sequencer: LongestFirst },
    // One more than the cores of a small machine, because tests often wait. Each worker loads all modules again.
    maxWorkers: 3,
    projects: [
      unitTestsOf('escrow'),
      unitTestsOf('contract'),
      unitTestsOf('web'),
      {
        test: {
          name: 'web-components',
          root: 'web',
          include: ['src/**/*.test.tsx'],
          environment: 'happy-dom',
          environmentOptions: { happyDOM: { url: 'http://localhost:3000' } },
          setupFiles: join(import.meta.dirname, 'web/src/testing/setup.ts'),
          ...limits,
          // Most objects in these tests are short-lived. With more space for them, garbage collection takes less time.
          execArgv: ['--max-semi-space-size=64'],
          // The files of a worker share their modules, which saves most of the time. setup.ts cleans up after each test.
          isolate: false,
        },
      },
      { test: { name: 'scripts', include: ['{scripts,bench}/*.test.ts'], ...limits, isolate: false } },
      testsOnPostgres,
    ],
  },
})
