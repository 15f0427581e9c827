import type { Sandbox } from '@sought/sandbox/sandbox'
import { buildApp } from '@sought/server/app'
import type { Config } from '@sought/server/core/config'
import { createServices } from '@sought/server/create-services'
import { createInstallationReader } from '@sought/server/database/installation'
import type { CardProvider } from '@sought/server/providers/stripe/card-provider'
import { createStripe } from '@sought/server/providers/stripe/stripe'
import type { Services } from '@sought/server/services'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { type FaultInjector, TIMEOUT_MS } from './fault-injection.ts'
import { type CrashSwitch, createCrashSwitch, stopAtCrash, stopPoolAtCrash } from './simulated-crash.ts'

/** How long and how often a server tries to reach the provider. */
export type ProviderTimeouts = 'short' | 'short with one retry' | 'production'

/** A whole server inside this process, with its sandbox, until it crashes. */
export interface Server {
  services: Services
  app: FastifyInstance
  sandbox: Sandbox
  /** The address of its sandbox. */
  apiUrl: string
  crashSwitch: CrashSwitch
  setProviderTimeouts(timeouts: ProviderTimeouts): void
  /** Stops the server, or waits until a crashed one is cleaned up. */
  close(): Promise<void>
}

interface Options {
  config: Config
  databaseUrl: string
  clock: () => Date
  faultInjector: FaultInjector
}

export async function openServer({ config, databaseUrl, clock, faultInjector }: Options): Promise<Server> {
  const log = pino({ level: config.logLevel })
  const services = await createServices(config, databaseUrl, clock, log)
  const crashSwitch = createCrashSwitch()
  stopPoolAtCrash(services.database.pool, crashSwitch)
  const app = await buildApp(services, { ready: true }, log)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const host = services.sandbox
  if (!host?.keys.apiUrl || !services.cards) throw new Error('the simulation needs the sandbox')
  const { keys, webhookSecret } = host
  const apiUrl = host.keys.apiUrl
  const starting = host.start(`${address}/api/stripe/webhook`, {
    faults: {
      call(call) {
        const when = crashSwitch.countEvent('provider call')
        if (!when) return faultInjector.faults.call?.(call)
        crashSwitch.crash()
        return { when, answer: 'cut' }
      },
      ...(faultInjector.faults.delivery && { delivery: faultInjector.faults.delivery }),
    },
  })
  const sandbox = await starting.catch(async (error) => {
    await host.close()
    await services.events.stop()
    await app.close()
    await services.database.close()
    throw error
  })
  if (!sandbox) throw new Error('the simulation needs its own sandbox')
  const { publicUrl, platformCountry } = config
  const readInstallation = createInstallationReader(services.database.read)
  const withShortTimeout = (retries: number) =>
    createStripe({
      ...keys,
      webhookSecrets: [webhookSecret],
      publicUrl,
      platformCountry,
      readInstallation,
      clock,
      retryPolicy: { timeoutMs: TIMEOUT_MS, retries },
    })
  const cards: Record<ProviderTimeouts, CardProvider> = {
    short: stopAtCrash(withShortTimeout(0), crashSwitch),
    'short with one retry': stopAtCrash(withShortTimeout(1), crashSwitch),
    production: stopAtCrash(services.cards, crashSwitch),
  }
  const cleanedUp = crashSwitch.crashed.then(() => cleanUp({ services, app }))

  return {
    services,
    app,
    sandbox,
    apiUrl,
    crashSwitch,
    setProviderTimeouts(timeouts) {
      services.cards = cards[timeouts]
    },
    async close() {
      if (crashSwitch.hasCrashed()) return cleanedUp
      await services.events.stop()
      await host.close()
      await app.close()
      await services.database.close()
    },
  }
}

/** Closes its sockets, like the system does for a killed process. */
async function cleanUp({ services, app }: Pick<Server, 'services' | 'app'>): Promise<void> {
  app.server.close()
  app.server.closeAllConnections()
  await services.sandbox?.close()
  await services.events.stop()
}
