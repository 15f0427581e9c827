import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { createServices } from '../../src/create-services.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config.ts'
import { freePort } from '../../src/platform/free-port.ts'
import type { Services } from '../../src/platform/services.ts'
import { AMOUNTS, agree } from './agree.ts'
import { compareBooks } from './books.ts'
import { actOnce, connect } from './deeds.ts'
import { violations } from './invariants.ts'
import { createKillableServer, type KillableServer } from './killable-server.ts'
import { type Market, NO_ANSWER, type Scene, type Somebody, storyOf } from './market.ts'
import type { Outcome } from './outcome.ts'
import { brokenPromises } from './promises.ts'
import { askProvider, cardForm, readAnswer } from './provider-client.ts'
import { type Random, seeded } from './random.ts'
import { keepStatusLog } from './status-log.ts'
import { createTally } from './tally.ts'

/*
 * Plays random sequences against the real server as a process of its own, and kills it with -9 again and again:
 * at any moment, a few milliseconds after a call was sent or answered, and while it starts. After the last
 * start it has half a minute to put everything right by itself.
 */

const LANES = 3
const STEPS = 12
const BUYERS = 3
const SETTLED_WITHIN_MS = 30_000
/** Long enough to begin something, and for a job to be in the middle of it. */
const AIM_MS = 50
const ANSWER_WITHIN_MS = 10_000

interface Options {
  databaseUrl: string
  seed: number
  kills: number
}

/** A market whose server can be killed a moment after it was asked something. */
interface KillableMarket extends Market {
  server: KillableServer
  services: Services
  /** Has the kill happen when so many more calls were sent or answered, or so many milliseconds from now. */
  aim(target: { calls: number } | { ms: number }): Promise<void>
  signUp(): Promise<Somebody | null>
  close(): Promise<void>
}

export async function runKills({ databaseUrl, seed, kills }: Options): Promise<Outcome> {
  const random = seeded(seed)
  const market = await openKillable(databaseUrl, random.split())
  const scenes: Scene[] = []
  try {
    const crew = await hire(market)
    let over = false
    const lanes = Array.from({ length: LANES }, () =>
      playOn(market, crew, random.split(), scenes, () => over),
    )
    const killed = killAgainAndAgain(market, random.split(), kills).finally(() => {
      over = true
    })
    await Promise.all([killed, ...lanes])
    const wrong = await settle(market, scenes)
    const about = `seed ${seed}, ${kills} kills`
    return {
      sequences: scenes.length,
      wrong: wrong.length > 0 ? [about, ...wrong, market.server.output()] : [],
      tally: market.tally,
    }
  } finally {
    await market.close()
  }
}

async function openKillable(databaseUrl: string, random: Random): Promise<KillableMarket> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-kills-'))
  const address = `http://localhost:${await freePort()}`
  const env = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    SANDBOX_PORT: String(await freePort()),
    ESCROW_SWEEP_SECONDS: '1',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'warn',
  }
  // Made from the same settings, these have the same keys: with them the provider can be asked from here.
  const log = pino({ level: 'silent' })
  const services = await createServices(readConfig(env), databaseUrl, systemClock, log)
  const sql = services.database.pool
  const tally = createTally()
  const server = createKillableServer(address, env)
  server.start()
  await server.ready()
  await keepStatusLog(sql)

  let aimed: { calls: number; strike(): void } | null = null
  const noteCall = () => {
    if (!aimed || --aimed.calls > 0) return
    setTimeout(aimed.strike, random.below(AIM_MS))
    aimed = null
  }
  /** A call, of which both the sending and the answer may be aimed at. */
  const ask = async (path: string, options: RequestInit) => {
    const asked = fetch(new URL(path, address), { ...options, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    noteCall()
    const answer = await asked.then(readAnswer, () => NO_ANSWER)
    noteCall()
    return answer
  }

  return {
    server,
    services,
    sql,
    tally,
    mayDie: true,
    now: () => new Date(),
    call(who, call, body) {
      const [method = '', path = ''] = call.split(' ')
      const headers = {
        ...(who && { cookie: who.cookie }),
        ...(body && { 'content-type': 'application/json' }),
      }
      return ask(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    },
    async enterCard(secret, number) {
      const key = services.sandbox?.keys.publishableKey ?? ''
      const asked = askProvider({ url: `${address}/sandbox`, key }, 'POST', ...cardForm(secret, number))
      noteCall()
      return asked
    },
    async openPage(path) {
      const page = await fetch(new URL(path, address)).catch(() => null)
      return (await page?.text().catch(() => '')) ?? ''
    },
    press: (path) => ask(path, { method: 'POST', redirect: 'manual' }),
    async aim(target) {
      if ('ms' in target) await wait(target.ms)
      else
        await new Promise<void>((strike) => {
          aimed = { calls: target.calls, strike }
        })
      await server.kill()
    },
    async signUp() {
      const person = { email: `${randomUUID()}@example.com`, firstName: 'Model', lastName: 'Person' }
      const reply = await fetch(`${address}/api/auth/signup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...person, password: 'correct horse' }),
      }).catch(() => null)
      const [cookie = ''] = reply?.headers.getSetCookie() ?? []
      const { body } = reply ? await readAnswer(reply) : NO_ANSWER
      return typeof body.id === 'string' ? { id: body.id, cookie: cookie.split(';')[0] ?? '' } : null
    },
    async close() {
      await server.stop()
      await services.events.stop()
      await services.database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

interface Crew {
  admin: Somebody
  stranger: Somebody
  buyers: Somebody[]
}

async function hire(market: KillableMarket): Promise<Crew> {
  const people = await Promise.all(Array.from({ length: BUYERS + 2 }, market.signUp))
  const [admin, stranger, ...buyers] = people.filter((person) => person !== null)
  if (!admin || !stranger || buyers.length < BUYERS) throw new Error('nobody could sign up')
  await market.sql.query('insert into admins (user_id) values ($1)', [admin.id])
  return { admin, stranger, buyers }
}

/** One deal after another. While the server is dead people mostly wait, as they would. */
async function playOn(
  market: KillableMarket,
  crew: Crew,
  random: Random,
  scenes: Scene[],
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const scene = await openScene(market, crew, random.split())
    if (!scene) continue
    scenes.push(scene)
    for (let step = 0; step < STEPS && !isOver(); step++) {
      if (!random.chance(0.1)) await market.server.ready()
      await actOnce(scene)
      await wait(random.below(60))
    }
  }
}

/** Null where the server died before there was a deal. */
async function openScene(market: KillableMarket, crew: Crew, random: Random): Promise<Scene | null> {
  await market.server.ready()
  const seller = await market.signUp()
  if (!seller) return null
  const terms = { ...crew, buyer: random.pick(crew.buyers), seller, amount: random.pick(AMOUNTS) }
  const deal = await agree(market, terms).catch(() => null)
  if (!deal) return null
  const scene: Scene = { market, deal, random, promised: [], story: [], wrong: [] }
  if (random.chance(0.6)) await connect(scene)
  return scene
}

/** How the provider's webhooks go wrong in a life: lost, repeated, late, or the newest first. */
const DELIVERY = ["mode = 'send'", "mode = 'drop'", 'copies = 3', 'delay_seconds = 2', 'newest_first = true']
const USUAL_DELIVERY = "mode = 'send', copies = 1, delay_seconds = 0, newest_first = false"

async function killAgainAndAgain(market: KillableMarket, random: Random, kills: number): Promise<void> {
  const { server, sql, tally } = market
  const deliver = (how: string) => sql.query(`update sandbox.delivery_settings set ${how}`)
  for (let kill = 0; kill < kills; kill++) {
    await deliver(USUAL_DELIVERY)
    await deliver(random.pick(DELIVERY))
    const [how, target] = random.weighted<[string, Parameters<KillableMarket['aim']>[0]]>([
      [['a moment after a call', { calls: 8 + random.below(90) }], 7],
      [['at any moment', { ms: 200 + random.below(2_500) }], 3],
    ])
    await market.aim(target)
    tally.count('kills', how)
    server.start()
    if (random.chance(0.1) && kill + 1 < kills) {
      await wait(random.below(1_500))
      await server.kill()
      tally.count('kills', 'while it started')
      kill++
      server.start()
    }
    await server.ready()
  }
  await deliver(USUAL_DELIVERY)
}

/** Nobody lends a hand: the server alone has to put everything right, and in time. */
async function settle({ sql, now, services }: KillableMarket, scenes: Scene[]): Promise<string[]> {
  const promised = scenes.flatMap((scene) => scene.promised)
  const find = async () => [...(await violations(sql, now())), ...(await brokenPromises(sql, promised))]
  const deadline = Date.now() + SETTLED_WITHIN_MS
  let found = await find()
  while (found.length > 0 && Date.now() < deadline) {
    await wait(500)
    found = await find()
  }
  const wrong = [...scenes.flatMap((scene) => scene.wrong), ...found, ...(await compareBooks(services))]
  const involved = scenes.filter(({ deal, wrong: own }) => {
    const named = new RegExp(`payment ${deal.paymentId}\\b`)
    return own.length > 0 || wrong.some((line) => named.test(line))
  })
  return wrong.length > 0 ? [...wrong, ...involved.map(storyOf)] : []
}
