import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const unitTestsOf = (name: string) => ({
  test: { name, root: name, include: ['src/**/*.test.{ts,tsx}'] },
})

const startPostgres = join(import.meta.dirname, 'server/test/start-postgres.ts')

/** What waits for processes and clocks takes longest: it comes first, so that no worker is left with it at the end. */
const LONGEST = /server\/test\/(proof|model|disputes|payouts|fuzz)\b/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // By default a machine with two cores gets one worker, which leaves half of it idle.
    maxWorkers: 2,
    projects: [
      unitTestsOf('escrow'),
      unitTestsOf('contract'),
      unitTestsOf('web'),
      { test: { name: 'scripts', root: 'scripts', include: ['**/*.test.ts'], testTimeout: 30_000 } },
      {
        test: {
          name: 'sandbox',
          root: 'sandbox',
          include: ['test/**/*.test.ts'],
          globalSetup: startPostgres,
          testTimeout: 20_000,
          hookTimeout: 30_000,
          experimental: { viteModuleRunner: false },
          isolate: false,
        },
      },
      {
        test: {
          name: 'server',
          root: 'server',
          include: ['test/**/*.test.ts'],
          globalSetup: startPostgres,
          testTimeout: 20_000,
          hookTimeout: 30_000,
          // The server's files run in the tests as they do in production: by Node itself, loaded once for many tests.
          experimental: { viteModuleRunner: false },
          isolate: false,
        },
      },
    ],
  },
})
