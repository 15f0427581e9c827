import { defineConfig } from '@playwright/test'
import { findChromium } from '../scripts/chromium.ts'

const chromium = findChromium()
const isShort = process.env.JOURNEYS === 'short'
const WHOLE_MARKET = /(market-settings|payment-methods|policies)\.spec\.ts$/

export default defineConfig({
  testDir: 'journeys',
  ...(isShort && { grepInvert: /@proof/ }),
  projects: [
    { name: 'journeys', testIgnore: WHOLE_MARKET },
    // Last and one by one, because each changes the market for everybody. Run them alone with `--no-deps`.
    { name: 'whole market', testMatch: WHOLE_MARKET, dependencies: ['journeys'], workers: 1 },
  ],
  globalSetup: './support/start-servers.ts',
  outputDir: '../test-results',
  fullyParallel: true,
  // `npm test` runs other tests at the same time, and a second browser takes more processor time.
  workers: isShort ? 1 : 2,
  // A flaky test is a bug, so it must not pass on a retry.
  retries: 0,
  forbidOnly: true,
  // Long enough for a machine that is five times slower. Passing tests do not wait.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  use: {
    // Routes that a test defines do not apply to requests of a service worker.
    serviceWorkers: 'block',
    launchOptions: {
      ...(chromium && { executablePath: chromium }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
