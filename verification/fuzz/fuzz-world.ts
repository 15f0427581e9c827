import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '@sought/sandbox/sandbox'
import { buildApp } from '@sought/server/app'
import { createServices } from '@sought/server/create-services'
import { createUnsubscribeToken } from '@sought/server/features/notifications/unsubscribe-token'
import { syncPayment } from '@sought/server/features/payments/hold-payment'
import { buildTasks } from '@sought/server/jobs/worker'
import { readConfig } from '@sought/server/platform/config'
import { createToken } from '@sought/server/platform/link-tokens'
import { migrate } from '@sought/server/platform/migrate'
import type { Services } from '@sought/server/platform/services'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { Logger, runOnce } from 'graphile-worker'
import pg from 'pg'
import { pino } from 'pino'
import { intentOf } from '../simulation/market.ts'
import { askProvider, cardForm } from '../support/provider-client.ts'
import { filePart, multipart } from './multipart.ts'
import { pictures } from './sample-files.ts'
import type { Known } from './value-generators.ts'
import { keepWriteLog, type WriteLog } from './write-log.ts'

/** A market with something in every state, in which each try begins anew. */
export interface Stage {
  app: FastifyInstance
  services: Services
  sql: pg.Pool
  writes: WriteLog
  /** Where it listens. */
  address: string
  people: Record<Who, string | null>
  /** What belongs together, by the names that fields have: each try takes its ids from one of these. */
  deals: Known[]
  filesOnDisk(): Promise<number>
  runJobs(): Promise<void>
  close(): Promise<void>
}

/** Who calls: nobody known, the two parties of most deals, or an admin. */
export const WHO = ['visitor', 'buyer', 'seller', 'admin'] as const
export type Who = (typeof WHO)[number]

const PASSWORD = 'correct horse'

/** The first address stands for a PostgreSQL; the database is a new one in it. */
export async function openStage(postgresUrl: string): Promise<Stage> {
  const database = await createDatabase(postgresUrl)
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-fuzz-'))
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    RATE_LIMIT: 'off',
    LOAD_SHEDDING: 'off',
  }
  const config = readConfig(env)
  const clock = () => new Date()
  const log = pino({ level: config.logLevel })
  const services = await createServices(config, database.url, clock, log)
  const app = await buildApp(services, { ready: true }, log)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const host = services.sandbox
  if (!host?.keys.apiUrl) throw new Error('the stage needs the sandbox')
  const sandbox = await startSandbox({
    ...host.keys,
    port: Number(new URL(host.keys.apiUrl).port),
    publicUrl: host.url,
    databaseUrl: database.url,
    // What the provider says by itself would be taken for what a try has written.
    webhook: null,
    dashboard: true,
    clock,
    log,
  })
  const sql = new pg.Pool({ connectionString: database.url, max: 2 })
  const runJobs = () =>
    runOnce({
      pgPool: services.database.pool,
      taskList: buildTasks(services),
      logger: new Logger(() => () => {}),
      noHandleSignals: true,
    })
  const { people, deals } = await furnish({ app, services, sql, runJobs })
  const writes = await keepWriteLog(sql)
  return {
    app,
    services,
    sql,
    writes,
    address,
    people,
    deals,
    runJobs,
    filesOnDisk: async () => (await readdir(join(dataDir, 'files'))).length,
    async close() {
      await services.events.stop()
      await sandbox.stop()
      await app.close()
      await services.database.close()
      await sql.end()
      await rm(dataDir, { recursive: true, force: true })
      await database.drop()
    },
  }
}

async function createDatabase(postgresUrl: string) {
  const name = `fuzz_${randomUUID().replaceAll('-', '')}`
  const [url, admin] = [new URL(postgresUrl), new URL(postgresUrl)]
  url.pathname = `/${name}`
  // Not the one that tests copy: PostgreSQL copies no database that somebody else is connected to.
  admin.pathname = '/template1'
  const once = async (statement: string) => {
    const client = new pg.Client({ connectionString: admin.href })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await once(`create database ${name} template template0`)
  await migrate(url.href)
  return { url: url.href, drop: () => once(`drop database ${name} with (force)`) }
}

type Furnishing = Pick<Stage, 'app' | 'services' | 'sql' | 'runJobs'>

interface Resident {
  id: string
  email: string
  cookie: string
}

const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 0 }
const AMOUNT = 12_000

/** One deal in each state that a deal can be in, and whatever else somebody can have. */
async function furnish(stage: Furnishing): Promise<Pick<Stage, 'people' | 'deals'>> {
  const [ada, bob, admin] = [
    await signUp(stage, 'ada'),
    await signUp(stage, 'bob'),
    await signUp(stage, 'root'),
  ]
  await stage.sql.query('insert into admins (user_id) values ($1)', [admin.id])
  const deals: Deal[] = []
  const begun = async (amount = AMOUNT, maxBudget = 0) => {
    const item = await asked(stage, ada, 'POST /api/wanted-items', { ...lamp, maxBudget })
    const terms = { wantedItemId: item.id, receiverId: ada.id, amount, message: 'I have one' }
    const offer = await asked(stage, bob, 'POST /api/offers', terms)
    const deal: Deal = { itemId: Number(item.id), offerId: Number(offer.id), amount }
    deals.push(deal)
    return deal
  }
  const agreed = async (amount?: number, maxBudget?: number) => {
    const deal = await begun(amount, maxBudget)
    await asked(stage, ada, `PATCH /api/offers/${deal.offerId}/accept`)
    return deal
  }
  const held = async () => {
    const deal = await agreed()
    deal.paymentId = await pay(stage, ada, deal)
    return deal.paymentId
  }
  const completed = async () => {
    const paymentId = await held()
    await asked(stage, ada, `POST /api/payments/${paymentId}/confirm-delivery`)
    return paymentId
  }
  const disputed = async () => {
    const paymentId = await held()
    await asked(stage, ada, 'POST /api/initiate-dispute', { paymentId, reason: 'It is blue' })
    return paymentId
  }

  await begun()
  await agreed()
  // Less than the provider takes.
  await agreed(20, 0.2)
  await asked(stage, bob, 'POST /api/seller/save-bank-account', bankAccount)
  await held()
  await disputed()
  const proposed = await disputed()
  await asked(stage, bob, `POST /api/disputes/${proposed}/settlement`, { refundAmount: 500 })
  await upload(stage, ada, `POST /api/disputes/${proposed}/upload-evidence`, 'file')
  await completed()
  const rated = await completed()
  await asked(stage, ada, `POST /api/payments/${rated}/submit-rating`, { rating: 4, feedback: 'Fine' })
  const paid = await completed()
  await stage.runJobs()
  const payouts = await payoutsOf(stage)
  await asked(stage, admin, `POST /api/admin/payouts/${payouts.get(paid)}/paid`, { reference: 'By hand' })
  const ruled = await disputed()
  await asked(stage, admin, `POST /api/admin/disputes/${ruled}/resolve`, { action: 'refund_full' })
  const turned = await countered(stage, ada, bob)

  const about = { content: 'Is it green?', wantedItemId: 1 }
  await asked(stage, bob, 'POST /api/messages', { ...about, receiverId: ada.id, clientId: 'mark-0001' })
  await asked(stage, ada, 'POST /api/messages', { ...about, receiverId: bob.id })
  const { imageUrl } = await upload(stage, ada, 'POST /api/wanted-items/image', 'image')
  const common = await knownByAll(stage, ada, bob, String(imageUrl))
  return {
    people: { visitor: null, buyer: ada.cookie, seller: bob.cookie, admin: admin.cookie },
    deals: [...deals.map((deal) => knownOf(deal, ada, bob)), turned].map((deal) => ({
      ...common,
      ...withPayout(deal, payouts),
    })),
  }
}

interface Deal {
  itemId: number
  offerId: number
  amount: number
  paymentId?: number
}

const bankAccount = {
  account_holder_name: 'Bob Tester',
  country: 'US',
  routing_number: '021000021',
  account_number: '000123456789',
  account_type: 'checking',
}

/** A deal by the names that the contract's fields have. */
function knownOf({ itemId, offerId, amount, paymentId }: Deal, buyer: Resident, seller: Resident): Known {
  const payment = paymentId ?? 999
  return {
    wantedItemId: [itemId],
    itemId: [itemId],
    offerId: [offerId],
    paymentId: [payment],
    disputeId: [payment],
    id: [itemId, offerId, payment, buyer.id, seller.id],
    receiverId: [buyer.id, seller.id],
    senderId: [buyer.id, seller.id],
    userId: [buyer.id, seller.id],
    amount: [amount],
  }
}

function withPayout(deal: Known, payouts: Map<number, number>): Known {
  const payoutId = payouts.get(Number(deal.paymentId?.[0]))
  return payoutId === undefined ? deal : { ...deal, payoutId: [payoutId] }
}

/** What a field of such a name can hold in any deal. */
async function knownByAll(stage: Furnishing, ada: Resident, bob: Resident, imageUrl: string): Promise<Known> {
  const { services, sql } = stage
  const tokenOf = (purpose: 'verify_email' | 'reset_password', { id, email }: Resident) =>
    services.database.transact((tx) => createToken(tx, { userId: id, purpose, email }))
  const { rows } = await sql.query('select stripe_payment_intent_id as intent from payments limit 2')
  const devices = await asked(stage, ada, 'GET /api/user/devices')
  return {
    email: [ada.email, bob.email, 'new@example.com'],
    password: [PASSWORD],
    currentPassword: [PASSWORD],
    newPassword: ['battery staple'],
    confirmPassword: ['battery staple'],
    token: [
      await tokenOf('verify_email', ada),
      await tokenOf('reset_password', bob),
      createUnsubscribeToken({ userId: ada.id, kind: 'message' }, services.secrets.sessionSecret),
    ],
    deviceId: (devices as unknown as { id: string }[]).map(({ id }) => id),
    imageUrl: [imageUrl],
    minBudget: [0, 5],
    maxBudget: [0, 200, 45.5],
    refundAmount: [500, 1_000],
    search: ['lamp', 'green'],
    paymentIntent: rows.map(({ intent }) => intent),
    clientId: ['mark-0001', 'mark-0002'],
    cursor: [9],
    evidenceId: [1],
    iban: [''],
    swift_code: [''],
    sort_code: [''],
    bsb_code: [''],
    payoutId: [1],
    ...Object.fromEntries(Object.entries(bankAccount).map(([field, value]) => [field, [value]])),
  }
}

async function signUp({ app }: Furnishing, name: string): Promise<Resident> {
  const email = `${name}@example.com`
  const body = { email, password: PASSWORD, firstName: name, lastName: 'Tester' }
  const reply = await app.inject({ method: 'POST', url: '/api/auth/signup', body })
  const [cookie] = reply.cookies
  return { id: reply.json().id, email, cookie: `sid=${encodeURIComponent(cookie?.value ?? '')}` }
}

type Answered = Record<string, unknown>

async function asked(
  { app }: Furnishing,
  { cookie }: Resident,
  call: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const [method, url] = call.split(' ') as [InjectOptions['method'] & string, string]
  const reply: LightMyRequestResponse = await app.inject({
    method,
    url,
    headers: { cookie, ...headers },
    ...(body && { body }),
  })
  if (reply.statusCode >= 300) throw new Error(`the stage is not set: ${call}: ${reply.body}`)
  return reply.json()
}

const upload = (stage: Furnishing, who: Resident, call: string, field: string) =>
  asked(stage, who, call, multipart([filePart(field, 'lamp.png', pictures.png)]), {
    'content-type': 'multipart/form-data; boundary=edge',
  })

/** Enters a card, and asks the provider about it, since nobody tells us. */
async function pay(stage: Furnishing, buyer: Resident, deal: Deal): Promise<number> {
  const { services } = stage
  const started = await asked(stage, buyer, 'POST /api/create-escrow-payment', deal)
  const [secret, paymentId] = [String(started.clientSecret), Number(started.paymentId)]
  const { keys } = services.sandbox ?? {}
  const provider = { url: keys?.apiUrl ?? '', key: keys?.publishableKey ?? '' }
  await askProvider(provider, 'POST', ...cardForm(secret, '4242424242424242'))
  const { cards } = services
  if (!cards) throw new Error('the stage needs a card provider')
  await syncPayment(services, cards, intentOf(secret))
  return paymentId
}

/** The other way round: Bob asks, Ada offers, and Bob answers with another amount. */
async function countered(stage: Furnishing, ada: Resident, bob: Resident): Promise<Known> {
  const item = await asked(stage, bob, 'POST /api/wanted-items', lamp)
  const terms = { wantedItemId: item.id, receiverId: bob.id, amount: AMOUNT }
  const offer = await asked(stage, ada, 'POST /api/offers', terms)
  const counter = await asked(stage, bob, `POST /api/offers/${offer.id}/counter`, { amount: AMOUNT - 500 })
  return knownOf({ itemId: Number(item.id), offerId: Number(counter.id), amount: AMOUNT - 500 }, bob, ada)
}

/** The payout of each payment that has one. */
async function payoutsOf({ sql }: Furnishing): Promise<Map<number, number>> {
  const { rows } = await sql.query('select id, payment_id from payouts')
  return new Map(rows.map(({ id, payment_id }) => [payment_id, id]))
}
