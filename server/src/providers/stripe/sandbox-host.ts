import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Sandbox, startSandbox } from '@sought/sandbox/sandbox'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import type { StripeKeys } from '../../platform/config.ts'
import { freePort } from '../../platform/free-port.ts'

/** Where browsers reach the sandbox, below our own address. */
export const SANDBOX_PATH = '/sandbox'

/** The sandbox of this process: its keys from the start, itself once the database is there. */
export interface SandboxHost {
  keys: StripeKeys
  webhookSecret: string
  /** How browsers reach it. */
  url: string
  /** Without an address no webhook is sent. The demo sets another clock to make payments of the past. */
  start(webhookUrl: string | null, clock?: Clock): Promise<void>
  /** Answers a browser, or false while it has not started. */
  handle(request: IncomingMessage, response: ServerResponse): boolean
  stop(): Promise<void>
}

interface Options {
  port: number
  /** Another sandbox that runs already; then none is started here. */
  apiUrl: string | undefined
  publicUrl: string
  databaseUrl: string
  clock: Clock
  log: FastifyBaseLogger
}

export async function createSandboxHost(
  { port: wished, apiUrl, publicUrl, databaseUrl, clock, log }: Options,
  { stripeWebhookSecret, production }: { stripeWebhookSecret: string | undefined; production: boolean },
  { sessionSecret }: { sessionSecret: string },
): Promise<SandboxHost> {
  // Made from our own secret, so that all processes of a deployment have the same.
  const made = (prefix: string) =>
    prefix + createHmac('sha256', sessionSecret).update(`sandbox ${prefix}`).digest('hex').slice(0, 32)
  const port = wished || (await freePort())
  const url = publicUrl + SANDBOX_PATH
  const keys = {
    secretKey: made('sk_test_'),
    publishableKey: made('pk_test_'),
    apiUrl: apiUrl ?? `http://127.0.0.1:${port}`,
  }
  const webhookSecret = stripeWebhookSecret ?? made('whsec_')
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
