import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Sandbox, startSandbox } from '@sought/sandbox/sandbox'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import type { Config, SandboxSettings, StripeKeys } from '../../platform/config.ts'
import { freePort } from '../../platform/free-port.ts'

/** The path under which browsers reach the sandbox. */
export const SANDBOX_PATH = '/sandbox'

/** The keys exist from the start; the sandbox itself starts once the database is available. */
export interface SandboxHost {
  keys: StripeKeys
  webhookSecret: string
  /** For browsers. */
  url: string
  /** Without an address no webhook is sent. The demo sets another clock to make payments of the past. */
  start(webhookUrl: string | null, clock?: Clock): Promise<void>
  /** Returns false while the sandbox has not started. */
  handle(request: IncomingMessage, response: ServerResponse): boolean
  stop(): Promise<void>
}

interface Options extends SandboxSettings {
  publicUrl: string
  databaseUrl: string
  clock: Clock
  log: FastifyBaseLogger
}

export async function createSandboxHost(
  options: Options,
  { stripeWebhookSecrets, production }: Pick<Config, 'stripeWebhookSecrets' | 'production'>,
  { sessionSecret }: { sessionSecret: string },
): Promise<SandboxHost> {
  const { apiUrl, publicUrl, databaseUrl, pendingDays, platformCountry, clock, log } = options
  // Derived from our secret, so that all processes of a deployment use the same keys.
  const derive = (prefix: string) =>
    prefix + createHmac('sha256', sessionSecret).update(`sandbox ${prefix}`).digest('hex').slice(0, 32)
  const port = options.port || (await freePort())
  const url = publicUrl + SANDBOX_PATH
  const keys = {
    secretKey: options.secretKey ?? derive('sk_test_'),
    publishableKey: derive('pk_test_'),
    apiUrl: apiUrl ?? `http://127.0.0.1:${port}`,
  }
  const webhookSecret = stripeWebhookSecrets[0] ?? derive('whsec_')
  let sandbox: Sandbox | null = null

  return {
    keys,
    webhookSecret,
    url,
    async start(webhookUrl, setClock = clock) {
      if (apiUrl) return
      sandbox = await startSandbox({
        ...keys,
        databaseUrl,
        port,
        publicUrl: url,
        webhook: webhookUrl ? { url: webhookUrl, secret: webhookSecret } : null,
        dashboard: !production,
        pendingDays,
        platformCountry,
        clock: setClock,
        log,
      })
    },
    handle(request, response) {
      sandbox?.handle(request, response)
      return sandbox !== null
    },
    async stop() {
      await sandbox?.stop()
      sandbox = null
    },
  }
}
