import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createKeys } from '../../core/keys.ts'
import { openDatabase } from '../../testing/world.ts'
import { createSandboxHost } from './sandbox-host.ts'

test.each([
  { production: false, status: 200 },
  { production: true, status: 404 },
])('the dashboard answers $status with production: $production', async ({ production, status }) => {
  const sandbox = await createSandboxHost(
    {
      port: 0,
      apiUrl: undefined,
      secretKey: undefined,
      pendingDays: 2,
      platformCountry: 'US',
      publicUrl: 'http://localhost:3000',
      databaseUrl: await openDatabase(),
      clock: () => new Date(),
      log: pino({ level: 'silent' }),
    },
    { stripeWebhookSecrets: [], production },
    { sessionKeys: createKeys(['a secret of sixteen signs']) },
  )
  await sandbox.start(null)
  onTestFinished(() => sandbox.close())
  const { apiUrl } = sandbox.keys
  for (const path of ['/', '/payments', '/events']) {
    expect((await fetch(`${apiUrl}${path}`, { redirect: 'manual' })).status, path).toBe(status)
  }
})
