import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const root = join(import.meta.dirname, '..')

/** The tests that `npm run proof` runs: any test file of the server or of this folder, by its name. */
const testsIn = (name: string) => ({
  test: {
    name,
    root: join(root, name),
    include: ['**/*.test.ts'],
    globalSetup: join(root, 'server/src/testing/start-postgres.ts'),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 60_000, interval: 30 } },
    experimental: { viteModuleRunner: false },
    isolate: false,
  },
})

export default defineConfig({
  root,
  test: {
    tags: [{ name: 'proof' }],
    maxWorkers: 2,
    projects: [testsIn('escrow'), testsIn('server'), testsIn('verification')],
  },
})
