import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const unitTestsOf = (name: string) => ({
  test: { name, root: name, include: ['src/**/*.test.{ts,tsx}'] },
})

export default defineConfig({
  test: {
    projects: [
      unitTestsOf('escrow'),
      unitTestsOf('contract'),
      unitTestsOf('web'),
      { test: { name: 'scripts', root: 'scripts', include: ['**/*.test.ts'], testTimeout: 30_000 } },
      {
        test: {
          name: 'server',
          root: 'server',
          include: ['test/**/*.test.ts'],
          globalSetup: join(import.meta.dirname, 'server/test/start-postgres.ts'),
          testTimeout: 20_000,
          hookTimeout: 30_000,
          // The server's files run in the tests as they do in production: by Node itself.
          experimental: { viteModuleRunner: false },
        },
      },
    ],
  },
})
