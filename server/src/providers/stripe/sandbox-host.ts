import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { listenOnLoopback } from '@sought/sandbox/listen'
import { openSandbox, type Sandbox, type SandboxOptions } from '@sought/sandbox/sandbox'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../core/clock.ts'
import type { Config, SandboxSettings, StripeKeys } from '../../core/config.ts'
import type { Keys } from '../../core/keys.ts'

/** The path under which browsers reach the sandbox. */
export const SANDBOX_PATH = '/sandbox'

/** Its address and keys exist from the start. The sandbox itself starts once the database is available. */
export interface SandboxHost {
  keys: StripeKeys
  /** The key for browsers, which other processes accept too while SESSION_SECRET is rotated. */
  publishableKey(): string
  webhookSecret: string
  /** The address for browsers. */
  url: string
  /**
   * Without an address, no webhooks are sent. The demo passes another clock to make payments in the past. Returns
   * null if the sandbox runs elsewhere.
   */
  start(
    webhookUrl: string | null,
    changes?: Pick<SandboxOptions, 'clock' | 'faults'>,
  ): Promise<Sandbox | null>
  /** Returns false while the sandbox does not run. */
  handle(request: IncomingMessage, response: ServerResponse): boolean
  /** Stops the sandbox and closes its port. */
  close(): Promise<void>
}

interface Options extends SandboxSettings, Pick<SandboxOptions, 'databaseLimits'> {
  publicUrl: string
  databaseUrl: string
  clock: Clock
  log: FastifyBaseLogger
}

export async function createSandboxHost(
  options: Options,
  { stripeWebhookSecrets, production }: Pick<Config, 'stripeWebhookSecrets' | 'production'>,
  { sessionKeys }: { sessionKeys: Keys },
): Promise<SandboxHost> {
  const { apiUrl, publicUrl, databaseUrl, pendingDays, platformCountry, clock, log } = options
  // Derived from our secret, so that all processes of a deployment use the same keys.
  const derive = (prefix: string, secret = sessionKeys.writing()) =>
    prefix + createHmac('sha256', secret).update(`sandbox ${prefix}`).digest('hex').slice(0, 32)
  const webhookSecret = stripeWebhookSecrets[0] ?? derive('whsec_')
  const url = publicUrl + SANDBOX_PATH
  let sandbox: Sandbox | null = null
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    sandbox?.handle(request, response)
    return sandbox !== null
  }
  const listener = apiUrl
    ? null
    : await listenOnLoopback((request, response) => {
        if (!handle(request, response)) response.writeHead(503).end()
      }, options.port)
  const keys = {
    secretKey: options.secretKey ?? derive('sk_test_'),
    publishableKey: derive('pk_test_'),
    apiUrl: apiUrl ?? listener?.url,
  }

  return {
    keys,
    publishableKey: () => derive('pk_test_'),
    webhookSecret,
    url,
    async start(webhookUrl, changes) {
      if (!listener) return null
      const opened = await openSandbox({
        ...keys,
        morePublishableKeys: sessionKeys.all.map((secret) => derive('pk_test_', secret)),
        databaseUrl,
        ...(options.databaseLimits && { databaseLimits: options.databaseLimits }),
        publicUrl: url,
        webhook: webhookUrl ? { url: webhookUrl, secret: webhookSecret } : null,
        dashboard: !production,
        pendingDays,
        platformCountry,
        clock,
        log,
        ...changes,
      })
      const stop = async () => {
        sandbox = null
        await opened.stop()
      }
      sandbox = { ...opened, stop }
      return sandbox
    },
    handle,
    async close() {
      await listener?.close()
      await sandbox?.stop()
    },
  }
}
