import { type Sandbox, startSandbox } from '@sought/sandbox/sandbox'
import { buildApp } from '@sought/server/app'
import { createServices } from '@sought/server/create-services'
import type { Config } from '@sought/server/platform/config'
import type { Services } from '@sought/server/platform/services'
import type { CardProvider } from '@sought/server/providers/stripe/card-provider'
import { createStripe } from '@sought/server/providers/stripe/stripe'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { TIMEOUT_MS, type Trouble } from './fault-injection.ts'
import { beginLife, bindPool, type Life, mortal } from './simulated-crash.ts'

export type Patience = 'little' | 'little, and one more try' | 'as always'

/** A whole server inside this process, with its sandbox, until it dies. */
export interface Server {
  services: Services
  app: FastifyInstance
  sandbox: Sandbox
  /** Where its sandbox answers. */
  apiUrl: string
  life: Life
  havePatience(patience: Patience): void
  /** Waits until nothing of a dead server is left, or ends a living one. */
  close(): Promise<void>
}

interface Options {
  config: Config
  databaseUrl: string
  clock: () => Date
  trouble: Trouble
}

export async function openServer({ config, databaseUrl, clock, trouble }: Options): Promise<Server> {
  const log = pino({ level: config.logLevel })
  const services = await createServices(config, databaseUrl, clock, log)
  const life = beginLife()
  bindPool(services.database.pool, life)
  const app = await buildApp(services, { ready: true }, log)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const host = services.sandbox
  if (!host?.keys.apiUrl || !services.cards) throw new Error('the model needs the sandbox')
  const { keys, webhookSecret } = host
  const apiUrl = host.keys.apiUrl
  const starting = startSandbox({
    ...keys,
    port: Number(new URL(apiUrl).port),
    publicUrl: host.url,
    databaseUrl,
    webhook: { url: `${address}/api/stripe/webhook`, secret: webhookSecret },
    dashboard: true,
    clock,
    faults: {
      call(call) {
        const when = life.isStruck('provider call')
        if (!when) return trouble.faults.call?.(call)
        life.die()
        return { when, answer: 'cut' }
      },
      ...(trouble.faults.delivery && { delivery: trouble.faults.delivery }),
    },
    log,
  })
  const sandbox = await starting.catch(async (error) => {
    await services.events.stop()
    await app.close()
    await services.database.close()
    throw error
  })
  const { publicUrl, currency } = config
  const little = (retries: number) =>
    createStripe({
      ...keys,
      webhookSecret,
      publicUrl,
      currency,
      clock,
      retryPolicy: { timeoutMs: TIMEOUT_MS, retries },
    })
  const cards: Record<Patience, CardProvider> = {
    little: mortal(little(0), life),
    'little, and one more try': mortal(little(1), life),
    'as always': mortal(services.cards, life),
  }
  const buried = life.end.then(() => bury({ services, app, sandbox }))

  return {
    services,
    app,
    sandbox,
    apiUrl,
    life,
    havePatience(patience) {
      services.cards = cards[patience]
    },
    async close() {
      if (life.isOver()) return buried
      await services.events.stop()
      await sandbox.stop()
      await app.close()
      await services.database.close()
    },
  }
}

/** Its sockets close, as the system closes those of a process that was killed. */
async function bury({ services, app, sandbox }: Pick<Server, 'services' | 'app' | 'sandbox'>): Promise<void> {
  app.server.close()
  app.server.closeAllConnections()
  await sandbox.stop()
  await services.events.stop()
}
