import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { counterOffer } from '@sought/contract/offers'
import { buildApp } from '@sought/server/app'
import { readConfig } from '@sought/server/core/config'
import { createServices } from '@sought/server/create-services'
import { createUnsubscribeToken } from '@sought/server/features/notifications/unsubscribe-token'
import { createUndoToken } from '@sought/server/features/users/email-changes'
import { createToken } from '@sought/server/features/users/link-tokens'
import { buildTasks } from '@sought/server/jobs/worker'
import { createGiven, type Given, type Paid, type Terms } from '@sought/server/market-builder/given'
import { createInProcessMarket } from '@sought/server/market-builder/in-process-market'
import type { Person } from '@sought/server/market-builder/send'
import { createHttpSend } from '@sought/server/market-builder/send-over-http'
import type { Services } from '@sought/server/services'
import { type Authenticator, createAuthenticator } from '@sought/server/testing/authenticator'
import { uploadOf } from '@sought/server/testing/multipart'
import { totpCode } from '@sought/server/testing/totp-code'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { Logger, runOnce } from 'graphile-worker'
import type pg from 'pg'
import { pino } from 'pino'
import { createTemporaryDatabase, openPool } from '../support/temporary-database.ts'
import { sampleFiles } from './sample-files.ts'
import type { KnownValues } from './value-generators.ts'
import { createWriteLog, type WriteLog } from './write-log.ts'

/** A server with data in every state. Each request starts from the same data. */
export interface FuzzWorld {
  app: FastifyInstance
  services: Services
  sql: pg.Pool
  writes: WriteLog
  /** The address of the server. */
  address: string
  people: Record<Caller, string | null>
  /** The ids of each deal, by field name. A request takes its ids from one deal. */
  deals: KnownValues[]
  filesOnDisk(): Promise<number>
  runJobs(): Promise<void>
  close(): Promise<void>
}

/** A visitor, the two parties of most deals, an admin, or a browser whose sign-in waits for a second factor. */
export const CALLERS = ['visitor', 'buyer', 'seller', 'admin', 'pending'] as const
export type Caller = (typeof CALLERS)[number]

const PASSWORD = 'correct horse'

export async function openFuzzWorld(postgresUrl: string): Promise<FuzzWorld> {
  const database = await createTemporaryDatabase(postgresUrl)
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-fuzz-'))
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    RATE_LIMIT: 'off',
    LOAD_SHEDDING: 'off',
  }
  const config = readConfig(env)
  // A fixed time, so that one-time codes and proofs of identity stay valid.
  const now = new Date()
  const clock = () => now
  const log = pino({ level: config.logLevel })
  const services = await createServices(config, database.url, clock, log)
  const app = await buildApp(services, { ready: true }, log)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  // Webhooks would write rows that look like the effect of a request.
  await services.sandbox?.start(null)
  const sql = openPool(database.url, 2)
  const runJobs = () =>
    runOnce({
      pgPool: services.database.pool,
      taskList: buildTasks(services),
      logger: new Logger(() => () => {}),
      noHandleSignals: true,
    })
  const { people, deals } = await insertData({ app, services, sql, runJobs })
  const writes = await createWriteLog(sql)
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
      await services.sandbox?.close()
      await app.close()
      await services.database.close()
      await sql.end()
      await rm(dataDir, { recursive: true, force: true })
      await database.drop()
    },
  }
}

type SetUp = Pick<FuzzWorld, 'app' | 'services' | 'sql' | 'runJobs'>

interface User extends Person {
  email: string
  cookie: string
}

const AMOUNT = 12_000

/** One deal in each possible state, with messages, reviews, payouts and files. */
async function insertData(world: SetUp): Promise<Pick<FuzzWorld, 'people' | 'deals'>> {
  const [ada, bob, admin, colleague] = [
    await signUp(world, 'ada'),
    await signUp(world, 'bob'),
    await signUp(world, 'root'),
    await signUp(world, 'colleague'),
  ]
  await world.sql.query('insert into admins (user_id) values ($1), ($2)', [admin.id, colleague.id])
  const deals: Partial<Paid>[] = []
  const given = createGiven<User>({
    addPerson: async () => Promise.reject(new Error('the market has only these people')),
    enterCard: createInProcessMarket(world.services).enterCard,
  })
  /** Makes a deal between Ada and Bob. */
  const add = async <Deal extends Partial<Paid>>(make: (terms: Terms<User>) => Promise<Deal>, terms = {}) => {
    const deal = await make({ buyer: ada, seller: bob, message: 'I have one', ...terms })
    deals.push(deal)
    return deal
  }
  const held = async (delivery?: object) => (await add(given.heldPayment, delivery)).paymentId
  const completed = async () => (await add(given.completedDeal)).paymentId
  const disputed = async () => (await add(given.dispute)).paymentId

  await add(given.offer)
  await add(given.agreement)
  // Less than the provider's fee.
  await add(given.agreement, { amount: 20 })
  await call(world, bob, 'POST /api/seller/save-bank-account', bankAccount)
  await held()
  await disputed()
  const proposed = await disputed()
  await call(world, bob, `POST /api/disputes/${proposed}/settlement`, { refundAmount: 500 })
  await upload(world, ada, `POST /api/disputes/${proposed}/upload-evidence`, 'file')
  await completed()
  const rated = await completed()
  await call(world, ada, `POST /api/payments/${rated}/submit-rating`, { rating: 4, feedback: 'Fine' })
  await call(world, bob, `POST /api/payments/${rated}/review`, {
    rating: 5,
    tags: ['friendly'],
    text: 'Fine',
  })
  const paid = await completed()
  await world.runJobs()
  const payouts = await payoutsOf(world)
  await call(world, admin, `POST /api/admin/payouts/${payouts.get(paid)}/paid`, { reference: 'By hand' })
  const backOffice = await createBackOffice(world, { bob, admin, colleague, ruled: await disputed(), paid })
  const returned = await disputed()
  await call(world, admin, `POST /api/admin/disputes/${returned}/resolve`, { action: 'refund_full' })
  await world.sql.query('update payments set refund_failed_at = now(), refund_attempt = 1 where id = $1', [
    returned,
  ])
  const handoverCode = await createDeliveries(world, ada, bob, held)
  const turned = await createCounterOffer(given, ada, bob)

  const about = { content: 'Is it green?', wantedItemId: 1 }
  await call(world, bob, 'POST /api/messages', { ...about, receiverId: ada.id, clientId: 'client-0001' })
  await call(world, ada, 'POST /api/messages', { ...about, receiverId: bob.id })
  const question = { topic: 'other', subject: 'Fees', message: 'Which ones?' }
  const tickets = [
    await call(world, ada, 'POST /api/support/tickets', question),
    await call(world, bob, 'POST /api/support/tickets', { ...question, paymentId: paid }),
  ].map(({ id }) => Number(id))
  await call(world, admin, `POST /api/admin/tickets/${tickets[0]}/close`)
  const search = { filters: { search: 'lamp', category: 'Other' }, alerts: 'immediately' }
  const searches = [
    await call(world, ada, 'POST /api/saved-searches', search),
    await call(world, bob, 'POST /api/saved-searches', search),
  ].map(({ id }) => Number(id))
  const { imageUrl } = await upload(world, ada, 'POST /api/wanted-items/image', 'image')
  const photoIds = [await uploadPhoto(world, ada), await uploadPhoto(world, bob)]
  const { pending, factors } = await createSecondFactors(world, ada, bob)
  const phoneCodes = [await sendPhoneCode(world, ada), await sendPhoneCode(world, bob)]
  // The first read generates the database's keys.
  await call(world, ada, 'GET /api/push/key')
  const cases = await createModerationCases(world, given, { ada, bob, admin })
  const common = {
    ...(await commonValues(world, ada, bob, String(imageUrl))),
    ...factors,
    ...cases,
    ...backOffice,
    ids: [...(cases.ids ?? []), [proposed]],
    code: [...(factors.code ?? []), handoverCode, ...phoneCodes],
    reviewId: (await world.sql.query('select id from reviews')).rows.map(({ id }) => id),
    ticketId: tickets,
    savedSearchId: searches,
    filters: [search.filters],
    ...photosOf(photoIds),
  }
  return {
    people: { visitor: null, buyer: ada.cookie, seller: bob.cookie, admin: admin.cookie, pending },
    deals: [...deals.map((deal) => valuesOf(deal, ada, bob)), turned].map((deal) => ({
      ...common,
      ...withPayout(deal, payouts),
    })),
  }
}

/**
 * Creates a colleague's ruling with an appeal, goodwill payments to approve and to pay, exports, a saved reply and a
 * policy.
 */
async function createBackOffice(
  world: SetUp,
  people: { bob: User; admin: User; colleague: User; ruled: number; paid: number },
): Promise<KnownValues> {
  const { bob, admin, colleague, ruled, paid } = people
  await call(world, colleague, `POST /api/admin/disputes/${ruled}/resolve`, { action: 'refund_full' })
  const appeal = await call(world, bob, `POST /api/disputes/${ruled}/appeal`, { reason: 'It was green' })
  const reply = await call(world, admin, 'POST /api/admin/replies', { title: 'Photos', text: 'Dear {buyer}' })
  const give = (amount: number) =>
    call(world, colleague, 'POST /api/admin/goodwill', {
      paymentId: paid,
      to: 'buyer',
      amount,
      reason: 'Late',
    })
  const goodwill = [await give(20_000), await give(500)]
  const runExport = () => call(world, admin, 'POST /api/admin/exports', { kind: 'fees', year: 2026 })
  const [ready, failed] = [await runExport(), await runExport()]
  await world.runJobs()
  await world.sql.query(
    "update export_jobs set status = 'failed', file_id = null, ended_at = now() where id = $1",
    [failed.id],
  )
  const policy = await call(world, admin, 'POST /api/admin/policies/refund_policy', { text: 'Refunds' })
  return {
    appealId: [appeal.id],
    replyId: [reply.id],
    goodwillId: goodwill.map(({ id }) => id),
    exportId: [ready.id, failed.id],
    version: [policy.version],
    adminId: [admin.id, colleague.id, null],
  }
}

/** Parcels to ship, in transit and delivered, a cancelled deal, and a deal in person, whose code is returned. */
async function createDeliveries(
  world: SetUp,
  ada: User,
  bob: User,
  held: (delivery: object) => Promise<number>,
): Promise<string> {
  const shipping = { delivery: 'shipping', shipWithinDays: 2 }
  const parcel = { carrier: 'dhl', trackingNumber: 'PARCEL00001' }
  await held(shipping)
  const shipped = await held(shipping)
  await upload(world, bob, `POST /api/payments/${shipped}/ship`, 'photo', { carrier: 'ups' })
  const delivered = await held(shipping)
  await call(world, bob, `POST /api/payments/${delivered}/ship`, parcel)
  await upload(world, bob, `POST /api/payments/${delivered}/delivered`, 'proof')
  await call(world, bob, `POST /api/payments/${await held(shipping)}/cancel`, { reason: 'Sold' })
  const handed = await call(world, ada, `GET /api/payments/${await held({ delivery: 'in_person' })}`)
  return String(handed.handoverCode)
}

const bankAccount = {
  account_holder_name: 'Bob Tester',
  country: 'US',
  routing_number: '021000021',
  account_number: '000123456789',
  account_type: 'checking',
}

/** The ids of a deal by the field names of the contract. */
function valuesOf(deal: Partial<Paid>, buyer: User, seller: User): KnownValues {
  const { itemId, offerId, amount = AMOUNT, paymentId: payment = 999 } = deal
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
    // Another amount for counter-offers.
    amount: [amount, amount + 500],
  }
}

function withPayout(deal: KnownValues, payouts: Map<number, number>): KnownValues {
  const payoutId = payouts.get(Number(deal.paymentId?.[0]))
  return payoutId === undefined ? deal : { ...deal, payoutId: [payoutId] }
}

/** Values for fields that do not depend on a deal. */
async function commonValues(world: SetUp, ada: User, bob: User, imageUrl: string): Promise<KnownValues> {
  const { services, sql } = world
  const tokenOf = (purpose: 'verify_email' | 'reset_password', { id, email }: User) =>
    services.database.transact((tx) => createToken(tx, { userId: id, purpose, email }))
  const { rows } = await sql.query('select stripe_payment_intent_id as intent from payments limit 2')
  const { rows: changes } = await sql.query(
    `insert into email_changes (user_id, old_email, payout_methods_hash) values ($1, 'former@example.com', '')
     returning id`,
    [ada.id],
  )
  const devices = await call(world, ada, 'GET /api/user/devices')
  return {
    email: [ada.email, bob.email, 'new@example.com'],
    category: ['Other', 'Music'],
    password: [PASSWORD],
    currentPassword: [PASSWORD],
    newPassword: ['battery staple'],
    confirmPassword: ['battery staple'],
    token: [
      await tokenOf('verify_email', ada),
      await tokenOf('reset_password', bob),
      createUnsubscribeToken({ userId: ada.id, kind: 'message' }, services.secrets.sessionKeys),
      createUndoToken(changes[0].id, services.secrets.sessionKeys),
    ],
    deviceId: (devices as unknown as { id: string }[]).map(({ id }) => id),
    imageUrl: [imageUrl],
    images: [[{ url: imageUrl, alt: 'From the front' }], [{ url: 'http://10.0.0.1/a.png' }]],
    endpoint: ['https://push.example/ada', 'https://10.0.0.1/ada', 'http://[::1]/ada'],
    minBudget: [0, 5],
    maxBudget: [0, 200, 45.5],
    refundAmount: [500, 1_000],
    search: ['lamp', 'green'],
    near: ['Ipoh', 'Paris, Texas', '48.85,2.35', '-90,180'],
    since: ['2026-11-30', '0000-01-01', '9999-12-31T23:59:59-23:59'],
    paymentIntent: rows.map(({ intent }) => intent),
    clientId: ['client-0001', 'client-0002'],
    cursor: [9],
    month: [services.clock().toISOString().slice(0, 7), '2019-01'],
    evidenceId: [1],
    iban: [''],
    swift_code: [''],
    sort_code: [''],
    bsb_code: [''],
    payoutId: [1],
    city: ['San Francisco'],
    region: ['CA'],
    postalCode: ['94104'],
    trackingNumber: ['PARCEL00001', ''],
    delivery: ['shipping'],
    ...Object.fromEntries(Object.entries(bankAccount).map(([field, value]) => [field, [value]])),
  }
}

/**
 * Ada has started to set up an authenticator app, and can add a passkey. Bob has a passkey. Pam has both factors,
 * and her sign-in waits for one of them. Every request starts from the same data, so that codes and challenges can
 * be reused.
 */
async function createSecondFactors(
  world: SetUp,
  ada: User,
  bob: User,
): Promise<{ pending: string; factors: KnownValues }> {
  const { services } = world
  const codeOf = (started: Answered) => totpCode(String(started.secret), services.clock())
  const optionsFor = (who: Pick<User, 'cookie'>, purpose: string) =>
    call(world, who, 'POST /api/auth/passkey/options', { purpose }) as Promise<never>

  const unfinishedCode = codeOf(await call(world, ada, 'POST /api/user/totp'))
  const newPasskey = createAuthenticator().create(
    (await call(world, ada, 'POST /api/user/passkeys/options')) as never,
  )
  const bobsKey = createAuthenticator()
  const passkeyId = await addPasskey(world, bob, bobsKey)

  const pam = await signUp(world, 'pam')
  const pamsKey = createAuthenticator()
  await addPasskey(world, pam, pamsKey)
  const code = codeOf(await call(world, pam, 'POST /api/user/totp'))
  const { recoveryCodes } = await call(world, pam, 'POST /api/user/totp/enable', { code })
  const pending = { cookie: await signIn(world, pam) }
  return {
    pending: pending.cookie,
    factors: {
      code: [unfinishedCode, code, ...(recoveryCodes as string[]).slice(0, 1)],
      passkey: [
        newPasskey,
        bobsKey.use(await optionsFor(bob, 'sign_in')),
        bobsKey.use(await optionsFor(bob, 'confirm')),
        pamsKey.use(await optionsFor(pending, 'second_factor')),
      ],
      passkeyId: [passkeyId],
    },
  }
}

async function addPasskey(world: SetUp, who: User, authenticator: Authenticator): Promise<string> {
  const options = await call(world, who, 'POST /api/user/passkeys/options')
  const added = await call(world, who, 'POST /api/user/passkeys', {
    passkey: authenticator.create(options as never),
  })
  return (added.passkey as { id: string }).id
}

/** The cookie of a sign-in that still needs a second factor. */
async function signIn({ app }: SetUp, { email }: User): Promise<string> {
  const body = { email, password: PASSWORD }
  const reply = await app.inject({ method: 'POST', url: '/api/auth/login', body })
  return sessionCookieOf(reply)
}

const sessionCookieOf = ({ cookies }: LightMyRequestResponse) =>
  `sid=${encodeURIComponent(cookies.find(({ name }) => name === 'sid')?.value ?? '')}`

async function signUp(world: SetUp, name: string): Promise<User> {
  const email = `${name}@example.com`
  const body = { email, password: PASSWORD, firstName: name, lastName: 'Tester' }
  const reply = await world.app.inject({ method: 'POST', url: '/api/auth/signup', body })
  const cookie = sessionCookieOf(reply)
  const send = createHttpSend((method, path, sent) => call(world, { cookie }, `${method} ${path}`, sent))
  return { id: reply.json().id, email, cookie, send }
}

type Answered = Record<string, unknown>

async function call(
  { app }: SetUp,
  { cookie }: Pick<User, 'cookie'>,
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
  if (reply.statusCode >= 300) throw new Error(`the data could not be created: ${call}: ${reply.body}`)
  return reply.json()
}

const upload = (
  world: SetUp,
  who: User,
  path: string,
  field: string,
  fields: Record<string, string> = {},
) => {
  const { payload, headers } = uploadOf(field, sampleFiles.png, { name: 'lamp.png', fields })
  return call(world, who, path, payload, headers)
}

const uploadPhoto = async (world: SetUp, who: User) =>
  Number((await upload(world, who, 'POST /api/photos', 'photo')).id)

/** Most messages have no photos, because a photo can be sent only once. */
const photosOf = (ids: number[]): KnownValues => ({
  photoId: ids,
  photoIds: [[], [], ...ids.map((id) => [id])],
})

/** With the roles swapped: Bob posts a request, Ada makes an offer, and Bob counters it. */
async function createCounterOffer(given: Given<User>, ada: User, bob: User): Promise<KnownValues> {
  const deal = await given.offer({ buyer: bob, seller: ada })
  const amount = AMOUNT - 500
  const { id } = await bob.send(counterOffer, { params: { id: deal.offerId }, body: { amount } })
  return valuesOf({ ...deal, offerId: id, amount }, bob, ada)
}

/** The code sent to a user by text message. */
async function sendPhoneCode(world: SetUp, who: User): Promise<string> {
  await call(world, who, 'POST /api/user/phone/code', { phone: '+60 12-345 6789' })
  const { rows } = await world.sql.query('select text from stand_in_texts order by id desc limit 1')
  return rows[0].text.slice(0, 6)
}

/** Open cases about a request, a message, a review and a profile, a decision of each kind, and an appeal. */
async function createModerationCases(
  world: SetUp,
  given: Given<User>,
  { ada, bob, admin }: Record<'ada' | 'bob' | 'admin', User>,
): Promise<KnownValues> {
  const report = async (who: User, kind: string, id: unknown) => {
    await call(world, who, 'POST /api/reports', { kind, id, reason: 'spam' })
    const { rows } = await world.sql.query('select max(id) as id from moderation_cases')
    return Number(rows[0].id)
  }
  const decide = async (caseId: number, action: string) => {
    await call(world, admin, `POST /api/admin/moderation/${caseId}/decide`, { action, reason: 'Spam' })
    const { rows } = await world.sql.query('select max(id) as id from moderation_decisions')
    return Number(rows[0].id)
  }
  const postSpam = () => given.request({ buyer: ada, request: { title: 'Cheap watches' } })
  const { rows } = await world.sql.query(
    `select (select id from messages where sender_id = $1 order by id limit 1) as message,
       (select id from reviews where author_id = $1 limit 1) as review`,
    [bob.id],
  )
  const appealedId = await decide(await report(bob, 'request', (await postSpam()).itemId), 'hide')
  await call(world, ada, `POST /api/user/decisions/${appealedId}/appeal`, { text: 'They are not cheap' })
  const decisionIds = [
    await decide(await report(bob, 'request', (await postSpam()).itemId), 'hide'),
    await decide(await report(ada, 'profile', bob.id), 'warn'),
  ]
  const openIds = [
    await report(bob, 'request', (await postSpam()).itemId),
    await report(ada, 'message', rows[0].message),
    await report(ada, 'review', rows[0].review),
    await report(bob, 'profile', ada.id),
  ]
  return {
    caseId: openIds,
    decisionId: [appealedId, ...decisionIds],
    ids: openIds.map((id) => [id]),
    until: [new Date(world.services.clock().getTime() + 86_400_000).toISOString(), '2019-01-01T00:00:00Z'],
  }
}

/** The payout of each payment that has one. */
async function payoutsOf({ sql }: SetUp): Promise<Map<number, number>> {
  const { rows } = await sql.query('select id, payment_id from payouts')
  return new Map(rows.map(({ id, payment_id }) => [payment_id, id]))
}
