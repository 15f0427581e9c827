import { setTimeout as wait } from 'node:timers/promises'
import { cardForm } from '@sought/server/market-builder/card-browser'
import { filePart, MULTIPART, multipart } from '@sought/server/testing/multipart'
import sharp from 'sharp'
import { createClient, type Reply, type RequestOptions } from '../load/http-client.ts'
import type { Person } from '../simulation/market.ts'
import { insertPeople } from '../simulation/people.ts'
import { callProvider } from '../support/provider-client.ts'
import type { Deployment, ServerName } from './dependencies.ts'

/* The load: on each server people read, write, upload pictures and pay, and note what was acknowledged. */

export const KINDS = ['read', 'write', 'file', 'pay'] as const
export type Kind = (typeof KINDS)[number]

export interface Call {
  server: ServerName
  kind: Kind
  sentMs: number
  isDone: boolean
}

export interface Visitors {
  /** All calls that have been answered. */
  calls: Call[]
  acknowledged: { messages: number[]; photos: { url: string; cookie: string }[]; paid: number[] }
  violations: string[]
  stop(): Promise<void>
}

/** Longer than any limit of the server. */
const ANSWER_WITHIN_MS = 40_000
const PAUSE_MS = 250
/** How many people do each kind of thing on each server, so that one who waits does not end the load. */
const PEOPLE = 3
const MAX_REPORTED = 10

const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 500 }

export async function admitVisitors({ servers, services }: Deployment): Promise<Visitors> {
  const { pool } = services.database
  const sessions = { sessionKeys: services.secrets.sessionKeys, now: new Date() }
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#284' } })
    .png()
    .toBuffer()
  const visitors: Omit<Visitors, 'stop'> = {
    calls: [],
    acknowledged: { messages: [], photos: [], paid: [] },
    violations: [],
  }
  const { calls, acknowledged, violations } = visitors
  let stopped = false

  /** Null if the call was refused because something is unavailable. Everything else must succeed. */
  async function send(server: ServerName, kind: Kind, call: string, options: RequestOptions = {}) {
    const sentMs = performance.now()
    const late = wait(ANSWER_WITHIN_MS, null, { ref: false })
    const reply = await Promise.race([createClient(servers[server].address)(call, options), late])
    const isDone = reply !== null && reply.status < 300
    const isRefused = reply?.status === 503 && isRefusal(reply)
    calls.push({ server, kind, sentMs, isDone })
    if (!isDone && !isRefused && violations.length < MAX_REPORTED)
      violations.push(`${server}: ${call}: ${reply ? `${reply.status} ${reply.body}` : 'no answer'}`)
    return isDone ? reply : null
  }

  const json = (reply: Reply) => JSON.parse(reply.body)

  async function deal(server: ServerName, buyer: Person, seller: Person): Promise<void> {
    const posted = await send(server, 'write', 'POST /api/wanted-items', { ...buyer, json: lamp })
    if (!posted) return
    const wantedItemId = json(posted).id
    const about = { wantedItemId, receiverId: buyer.id }
    const offered = await send(server, 'write', 'POST /api/offers', {
      ...seller,
      json: { ...about, amount: 12_000 },
    })
    if (!offered) return
    const offerId = json(offered).id
    if (!(await send(server, 'write', `PATCH /api/offers/${offerId}/accept`, buyer))) return
    const payment = { itemId: wantedItemId, offerId, amount: 12_000 }
    const started = await send(server, 'pay', 'POST /api/create-escrow-payment', { ...buyer, json: payment })
    if (!started) return
    const { paymentId, clientSecret } = json(started)
    const { publishableKey: key = '', apiUrl: url = '' } = services.sandbox?.keys ?? {}
    const card = await callProvider({ url, key }, 'POST', ...cardForm(clientSecret, '4242424242424242'))
    if (card.status === 200) acknowledged.paid.push(paymentId)
  }

  async function talk(server: ServerName, buyer: Person, seller: Person): Promise<void> {
    const posted = await send(server, 'write', 'POST /api/wanted-items', { ...buyer, json: lamp })
    if (!posted) return
    for (let line = 0; line < 10 && !stopped; line++) {
      const message = { wantedItemId: json(posted).id, receiverId: buyer.id, content: `Line ${line}` }
      const sent = await send(server, 'write', 'POST /api/messages', { ...seller, json: message })
      if (sent) acknowledged.messages.push(json(sent).id)
      await wait(PAUSE_MS)
    }
  }

  async function upload(server: ServerName, { cookie }: Person): Promise<void> {
    const bytes = { type: MULTIPART, body: multipart([filePart('photo', 'picture.png', picture)]) }
    const uploaded = await send(server, 'file', 'POST /api/photos', { cookie, bytes })
    if (!uploaded) return
    const photo = { url: json(uploaded).url as string, cookie }
    acknowledged.photos.push(photo)
    await send(server, 'file', `GET ${photo.url}`, photo)
  }

  async function read(server: ServerName): Promise<void> {
    await send(server, 'read', 'GET /api/wanted-items?limit=12')
    await send(server, 'read', 'GET /api/categories')
  }

  const repeat = async (work: () => Promise<void>) => {
    while (!stopped) {
      await work().catch((error: Error) => violations.push(`a connection to a server broke: ${error}`))
      await wait(PAUSE_MS)
    }
  }
  const running: Promise<void>[] = []
  for (const server of ['direct', 'pooled'] as const) {
    for (let person = 0; person < PEOPLE; person++) {
      const [ada, bob, eve, dan] = await insertPeople(pool, sessions, 4)
      if (!ada || !bob || !eve || !dan) throw new Error('no people were inserted')
      running.push(
        repeat(() => read(server)),
        repeat(() => talk(server, ada, bob)),
        repeat(() => upload(server, bob)),
        repeat(() => deal(server, eve, dan)),
      )
    }
  }
  return {
    ...visitors,
    async stop() {
      stopped = true
      await Promise.all(running)
    },
  }
}

/** Not a page or a broken answer. */
function isRefusal({ body }: Reply): boolean {
  try {
    return typeof JSON.parse(body).code === 'string'
  } catch {
    return false
  }
}
