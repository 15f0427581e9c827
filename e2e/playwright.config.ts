import { defineConfig } from '@playwright/test'
import { findChromium } from '../scripts/chromium.ts'

const chromium = findChromium()

export default defineConfig({
  testDir: 'journeys',
  globalSetup: './start-server.ts',
  outputDir: '../test-results',
  fullyParallel: true,
  workers: 2,
  // A test that passes on a second try is a bug with a delay: there is no second try.
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 7_000 },
  use: {
    viewport: { width: 1280, height: 800 },
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
