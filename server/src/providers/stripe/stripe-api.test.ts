import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createStripe } from './stripe.ts'

/** A provider that answers every call with this error. */
async function answering(status: number, error: object) {
  const server = createServer((_, reply) => {
    reply.writeHead(status, { 'content-type': 'application/json' })
    reply.end(JSON.stringify({ error }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return createStripe({
    secretKey: 'sk_test_1',
    publishableKey: 'pk_test_1',
    webhookSecrets: [],
    apiUrl: `http://127.0.0.1:${port}`,
    publicUrl: 'http://localhost',
    platformCountry: 'US',
    readInstallation: async () => 'one',
    clock: () => new Date(),
    retryPolicy: { timeoutMs: 1_000, retries: 0 },
  })
}

const type = 'invalid_request_error'

test('a missing permission does not mean that an account or a payment is gone', async () => {
  const cards = await answering(403, { type, message: 'The key does not have the required permissions.' })
  await expect(cards.readAccount('acct_1')).rejects.toMatchObject({ outcome: 'refused' })
  await expect(cards.readIntent('pi_1')).rejects.toMatchObject({ outcome: 'refused' })
})

test('an account that is not connected and an object that does not exist are gone', async () => {
  const disconnected = await answering(403, { type, code: 'account_invalid' })
  expect(await disconnected.readAccount('acct_1')).toBeNull()
  const missing = await answering(404, { type, code: 'resource_missing' })
  expect(await missing.readIntent('pi_1')).toBeNull()
})

test('an answer 404 without a code proves nothing', async () => {
  const cards = await answering(404, { type, message: 'Unrecognized request URL' })
  await expect(cards.readIntent('pi_1')).rejects.toMatchObject({ outcome: 'refused' })
})

test('errors of the provider and refused keys are an outage, refusals are not', async () => {
  for (const [status, isOutage] of [
    [500, true],
    [401, true],
    [400, false],
    [429, false],
  ] as const) {
    const cards = await answering(status, { type })
    await expect(cards.readIntent('pi_1'), String(status)).rejects.toMatchObject({ isOutage })
  }
})
