import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '@sought/server/core/clock'
import { readConfig } from '@sought/server/core/config'
import { freePort } from '@sought/server/core/free-port'
import { createServices } from '@sought/server/create-services'
import { cardForm } from '@sought/server/market-builder/card-browser'
import type { Services } from '@sought/server/services'
import { pino } from 'pino'
import { root } from '../../scripts/child.ts'
import { createCounters } from '../support/counters.ts'
import { changeMarketSettings } from '../support/market-settings.ts'
import { callProvider, methodForm, NO_REPLY, readReply } from '../support/provider-client.ts'
import { createServerProcess, type ServerProcess } from '../support/server-process.ts'
import { multipartOf } from './in-process-market.ts'
import type { Answer, Market, Person } from './market.ts'
import { SETTINGS } from './open-deal.ts'
import { keepStatusLog } from './status-log.ts'

const ANSWER_WITHIN_MS = 10_000
/** Thousands of servers are started, so they share a compile cache. */
const COMPILE_CACHE = join(root, 'node_modules', '.cache', 'compiled')

/** Two server processes, each with its own sandbox, that can be killed. */
export interface ProcessMarket extends Market {
  servers: [ServerProcess, ServerProcess]
  services: Services
  /** The callback runs when a call was sent, and when it was answered. */
  onCall(callback: () => void): void
  moveClock(byMs: number): void
  /** Resolves as soon as at least one server is running. */
  ready(): Promise<void>
  close(): Promise<void>
}

export async function openProcessMarket(
  databaseUrl: string,
  settings: Record<string, string> = {},
): Promise<ProcessMarket> {
  await changeMarketSettings(databaseUrl, SETTINGS)
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-processes-'))
  let clockOffsetMs = 0
  const env = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    ESCROW_SWEEP_SECONDS: '1',
    RATE_LIMIT: 'off',
    LOAD_SHEDDING: 'off',
    LOG_LEVEL: 'warn',
    ...settings,
  }
  // The same settings give the same keys, so that this process can call the provider too.
  const log = pino({ level: 'silent' })
  const config = readConfig(env)
  const services = await createServices(config, databaseUrl, systemClock, log)
  // For the ledger check, a sandbox also runs in this process. It delivers no webhooks.
  await services.sandbox?.start(null)
  const sql = services.database.pool
  const childEnv = { ...env, NODE_COMPILE_CACHE: COMPILE_CACHE }
  const open = async () =>
    createServerProcess(`http://localhost:${await freePort()}`, childEnv, () => clockOffsetMs)
  const servers: [ServerProcess, ServerProcess] = [await open(), await open()]
  for (const server of servers) server.start()
  await Promise.all(servers.map((server) => server.ready()))
  await keepStatusLog(sql)

  let onCall = () => {}
  let turn = 0
  /** Alternates between the two, like a load balancer. Skips a server that is down if the other one is up. */
  const someServer = (): ServerProcess => {
    turn++
    const [first, second] = turn % 2 ? servers : servers.toReversed()
    return (first?.isUp() ? first : second) ?? servers[0]
  }
  const ask = async (path: string, options: RequestInit, by: Person | null = null): Promise<Answer> => {
    const { address } = someServer()
    const asked = fetch(new URL(path, address), { ...options, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    onCall()
    const answer = await asked.then(readReply, () => NO_REPLY)
    onCall()
    return { ...answer, by }
  }

  return {
    servers,
    services,
    sql,
    counters: createCounters(),
    now: () => new Date(Date.now() + clockOffsetMs),
    onCall(callback) {
      onCall = callback
    },
    moveClock(byMs) {
      clockOffsetMs += byMs
      for (const server of servers) server.send({ clockOffsetMs })
    },
    call(who, call, body) {
      const [method = '', path = ''] = call.split(' ')
      const headers = {
        ...(who && { cookie: who.cookie }),
        ...(body && { 'content-type': 'application/json' }),
      }
      return ask(path, { method, headers, ...(body && { body: JSON.stringify(body) }) }, who)
    },
    upload(who, call, file) {
      const [method = '', path = ''] = call.split(' ')
      const { headers, body } = multipartOf(file)
      return ask(path, { method, headers: { ...headers, cookie: who.cookie }, body }, who)
    },
    async enterCard(secret, number) {
      const key = services.sandbox?.keys.publishableKey ?? ''
      const url = `${someServer().address}/sandbox`
      const asked = callProvider({ url, key }, 'POST', ...cardForm(secret, number))
      onCall()
      return asked
    },
    async enterMethod(secret, method) {
      const key = services.sandbox?.keys.publishableKey ?? ''
      return callProvider(
        { url: `${someServer().address}/sandbox`, key },
        'POST',
        ...methodForm(secret, method),
      )
    },
    async openPage(address) {
      const page = await fetch(pageOn(address, someServer())).catch(() => null)
      return (await page?.text().catch(() => '')) ?? ''
    },
    press: (address, form = {}) =>
      ask(new URL(address, 'http://localhost').pathname, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams(form),
      }),
    async ready() {
      while (!servers.some((server) => server.isUp())) await wait(20)
    },
    async close() {
      await Promise.all(servers.map((server) => server.stop()))
      await services.sandbox?.close()
      await services.events.stop()
      await services.database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Both servers serve the provider's pages, whichever created the link. */
const pageOn = (address: string, server: ServerProcess) =>
  new URL(new URL(address, server.address).pathname, server.address)
