import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createServices } from '@sought/server/create-services'
import { systemClock } from '@sought/server/platform/clock'
import { readConfig } from '@sought/server/platform/config'
import { freePort } from '@sought/server/platform/free-port'
import type { Services } from '@sought/server/platform/services'
import { pino } from 'pino'
import { createTally } from '../support/counters.ts'
import { askProvider, cardForm, readAnswer } from '../support/provider-client.ts'
import { createKillableServer, type KillableServer } from '../support/server-process.ts'
import { formOf } from './in-process-market.ts'
import { type Answer, type Market, NO_ANSWER, type Somebody } from './market.ts'
import { keepStatusLog } from './status-log.ts'

const ANSWER_WITHIN_MS = 10_000
/** Begun thousands of times, the same files need not be found and compiled anew each time. */
const COMPILED = join(tmpdir(), `sought-compiled-${process.pid}`)
process.once('exit', () => rmSync(COMPILED, { recursive: true, force: true }))

/** A market that two processes serve, each with a sandbox of its own, and each of which can be killed. */
export interface ProcessMarket extends Market {
  servers: [KillableServer, KillableServer]
  services: Services
  /** Called when something was sent, and when it was answered. */
  onCall(heard: () => void): void
  turnClock(byMs: number): void
  /** Resolves while at least one of them serves. */
  ready(): Promise<void>
  close(): Promise<void>
}

export async function openProcesses(databaseUrl: string): Promise<ProcessMarket> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-processes-'))
  let turnedMs = 0
  const env = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    ESCROW_SWEEP_SECONDS: '1',
    RATE_LIMIT: 'off',
    LOAD_SHEDDING: 'off',
    LOG_LEVEL: 'warn',
  }
  // Made from the same settings, these have the same keys: with them the provider can be asked from here.
  const log = pino({ level: 'silent' })
  const config = readConfig({ ...env, SANDBOX_PORT: String(await freePort()) })
  const services = await createServices(config, databaseUrl, systemClock, log)
  // To look into the books a sandbox answers here as well, which tells nobody of anything.
  await services.sandbox?.start(null)
  const sql = services.database.pool
  const quick = { ...env, NODE_COMPILE_CACHE: COMPILED }
  const open = async () => createKillableServer(`http://localhost:${await freePort()}`, quick, () => turnedMs)
  const servers: [KillableServer, KillableServer] = [await open(), await open()]
  for (const server of servers) server.start()
  await Promise.all(servers.map((server) => server.ready()))
  await keepStatusLog(sql)

  let noteCall = () => {}
  let turn = 0
  /** The two in turn, as a balancer would; one that is down is passed over, if the other is not. */
  const someServer = (): KillableServer => {
    turn++
    const [first, second] = turn % 2 ? servers : servers.toReversed()
    return (first?.isUp() ? first : second) ?? servers[0]
  }
  /** A call, of which both the sending and the answer may be aimed at. */
  const ask = async (path: string, options: RequestInit, by: Somebody | null = null): Promise<Answer> => {
    const { address } = someServer()
    const asked = fetch(new URL(path, address), { ...options, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    noteCall()
    const answer = await asked.then(readAnswer, () => NO_ANSWER)
    noteCall()
    return { ...answer, by }
  }

  return {
    servers,
    services,
    sql,
    tally: createTally(),
    now: () => new Date(Date.now() + turnedMs),
    onCall(heard) {
      noteCall = heard
    },
    turnClock(byMs) {
      turnedMs += byMs
      for (const server of servers) server.tell({ turnedMs })
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
      const { headers, body } = formOf(file)
      return ask(path, { method, headers: { ...headers, cookie: who.cookie }, body }, who)
    },
    async enterCard(secret, number) {
      const key = services.sandbox?.keys.publishableKey ?? ''
      const url = `${someServer().address}/sandbox`
      const asked = askProvider({ url, key }, 'POST', ...cardForm(secret, number))
      noteCall()
      return asked
    },
    async openPage(address) {
      const page = await fetch(hereOf(address, someServer())).catch(() => null)
      return (await page?.text().catch(() => '')) ?? ''
    },
    press: (address) =>
      ask(new URL(address, 'http://localhost').pathname, { method: 'POST', redirect: 'manual' }),
    async ready() {
      while (!servers.some((server) => server.isUp())) await wait(20)
    },
    async close() {
      await Promise.all(servers.map((server) => server.stop()))
      await services.sandbox?.stop()
      await services.events.stop()
      await services.database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** A page of the provider's is on either server, whichever was asked for its address. */
const hereOf = (address: string, server: KillableServer) =>
  new URL(new URL(address, server.address).pathname, server.address)
