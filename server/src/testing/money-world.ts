import type { SELLER_COUNTRIES } from '@sought/contract/constants'
import { setUpStripeConnect } from '@sought/contract/sellers'
import type { SandboxOptions } from '@sought/sandbox/sandbox'
import { Logger, runOnce, type Task, type TaskList } from 'graphile-worker'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { checkLedger } from '../features/money/ledger/check-ledger.ts'
import { buildTasks } from '../jobs/worker.ts'
import { type CardBrowser, type CardReply, cardBrowserOf, VISA } from '../market-builder/card-browser.ts'
import { ADAS_ADDRESS, type Terms } from '../market-builder/given.ts'
import { eventually } from './eventually.ts'
import { EMAIL_JOBS } from './run-email-jobs.ts'
import { addTraders, type Traders } from './traders.ts'
import { openWorld, shareWorld, type World } from './world.ts'

/** A world with a card provider: the server listens on a port, and the sandbox sends it webhooks. */
export interface MoneyWorld extends World, Traders, Pick<CardBrowser, 'press'> {
  /** A request of Ada and an offer of Bob with these delivery terms, which she has accepted. Nobody is notified. */
  agree(amount?: number, terms?: DeliveryTerms): Promise<Deal>
  start(deal: Deal): Promise<{ clientSecret: string; paymentId: number; currency: string }>
  /** Sends the card form to the provider like a browser, and returns the response. */
  enterCard(clientSecret: string, number?: string): ReturnType<CardBrowser['enterCard']>
  /** Agrees, pays and waits until the payment is held in escrow. */
  payIntoEscrow(amount?: number, terms?: DeliveryTerms): Promise<Deal & { paymentId: number }>
  /** Gives Bob a connected account that can receive money, by default in the US. */
  connectBob(country?: (typeof SELLER_COUNTRIES)[number]): Promise<string>
  /** Enqueues the named jobs, then runs all due jobs until none is left, except emails and push notifications. */
  runJobs(...names: string[]): Promise<void>
  statusOf(paymentId: number): Promise<string>
  /** The balance of an account. With `paymentId`, only this payment's part of it. */
  balanceOf(account: string, paymentId?: number): Promise<number>
  /** Fails unless the ledger is consistent and agrees with the provider. */
  expectBooksRight(): Promise<void>
  stripe<Body = CardReply>(method: string, path: string, form?: Record<string, string>): Promise<Body>
}

type DeliveryTerms = Pick<Terms, 'delivery' | 'shipWithinDays' | 'request'>

interface Deal {
  itemId: number
  offerId: number
  amount: number
  /** Only if the item is shipped. */
  deliveryAddress?: object
}

interface Options {
  env?: Record<string, string>
  faults?: SandboxOptions['faults']
  /** By default every event is delivered. */
  webhook?: 'lost'
}

export async function openMoneyWorld({ env = {}, faults, webhook }: Options = {}): Promise<MoneyWorld> {
  const world = await openWorld(env)
  onTestFinished(await startProvider(world, faults, webhook))
  return addMoney(await addTraders(world))
}

/** One world for all tests of a file or a group. Each call adds another Ada and Bob. */
export function shareMoneyWorld({ webhook }: Pick<Options, 'webhook'> = {}): () => Promise<MoneyWorld> {
  const world = shareWorld()
  let stop: (() => Promise<void>) | undefined
  beforeAll(async () => {
    stop = await startProvider(world(), undefined, webhook)
  })
  afterAll(() => stop?.())
  return async () => addMoney(await addTraders(world()))
}

function addMoney(world: World & Traders): MoneyWorld {
  const { services, app, ada, bob } = world
  const browser = cardBrowserOf(services)

  const money: MoneyWorld = {
    ...world,
    press: browser.press,
    async agree(amount = 12_000, terms = {}) {
      const { itemId, offerId } = await world.given.agreement({ amount, ...terms })
      const address = terms.delivery === 'shipping' && { deliveryAddress: ADAS_ADDRESS }
      return { itemId, offerId, amount, ...address }
    },
    async start(deal) {
      const reply = await ada.call('POST /api/create-escrow-payment', deal)
      expect(reply.statusCode, reply.body).toBe(200)
      return reply.json()
    },
    enterCard: (clientSecret, number = VISA) => browser.enterCard(clientSecret, number),
    async payIntoEscrow(amount, terms) {
      const deal = await money.agree(amount, terms)
      const { clientSecret, paymentId } = await money.start(deal)
      expect((await money.enterCard(clientSecret)).status).toBe(200)
      await eventually(async () => expect(await money.statusOf(paymentId)).toBe('held_in_escrow'))
      return { ...deal, paymentId }
    },
    async connectBob(country = 'US') {
      const { onboardingUrl } = await bob.send(setUpStripeConnect, { body: { country } })
      await browser.completeOnboarding(onboardingUrl)
      const { rows } = await world.sql.query(
        'select stripe_connect_account_id as id from users where id = $1',
        [bob.id],
      )
      return rows[0].id
    },
    async runJobs(...names) {
      for (const name of names) await world.sql.query('select graphile_worker.add_job($1)', [name])
      const taskList = asTestTasks(buildTasks(services))
      const logger = new Logger(() => () => {})
      // The worker skips a job that an event is enqueuing again at the same moment.
      do await runOnce({ pgPool: services.database.pool, taskList, logger, noHandleSignals: true })
      while (await hasDueJobs(world.sql))
    },
    async statusOf(paymentId) {
      const { rows } = await world.sql.query('select status from payments where id = $1', [paymentId])
      return rows[0].status
    },
    async balanceOf(account, paymentId) {
      const { rows } = await world.sql.query(
        `select coalesce(sum(amount_cents), 0)::bigint as cents from ledger_entries
         where account = $1 and ($2::int is null or payment_id = $2)`,
        [account, paymentId],
      )
      return rows[0].cents
    },
    async expectBooksRight() {
      const { problems } = await checkLedger(services.database.read, services.cards)
      expect(problems).toEqual([])
    },
    async stripe<Body>(method: string, path: string, form: Record<string, string> = {}) {
      const { secretKey, apiUrl = '' } = services.sandbox?.keys ?? {}
      const headers = { authorization: `Bearer ${secretKey}` }
      const body = method === 'GET' ? null : new URLSearchParams(form)
      const answer = await fetch(apiUrl + path, { method, headers, body })
      const received = await answer.json()
      expect(answer.status, JSON.stringify(received)).toBe(200)
      return received as Body
    },
  }
  if (!app.server.listening) throw new Error('the server must listen to receive webhooks')
  return money
}

/**
 * Leaves out emails, and retries no jobs: on a slow machine, a retry would be due before the other jobs are done.
 */
function asTestTasks(tasks: TaskList): TaskList {
  const failed = new Set<string>()
  const runOnceOnly =
    (task: Task): Task =>
    async (payload, helpers) => {
      const { id, attempts } = helpers.job
      if (attempts > 1 && failed.has(id)) throw new Error('this job has failed before')
      failed.add(id)
      await task(payload, helpers)
      failed.delete(id)
    }
  return Object.fromEntries(
    Object.entries(tasks).flatMap(([name, task]) =>
      task && !EMAIL_JOBS.includes(name) ? [[name, runOnceOnly(task as Task)]] : [],
    ),
  )
}

async function hasDueJobs(sql: World['sql']): Promise<boolean> {
  const { rowCount } = await sql.query(
    `select from graphile_worker.jobs
     where task_identifier <> all($1) and locked_at is null and run_at <= now() and attempts < max_attempts`,
    [EMAIL_JOBS],
  )
  return rowCount !== 0
}

async function startProvider(
  { app, services }: World,
  faults?: Options['faults'],
  webhook?: Options['webhook'],
): Promise<() => Promise<void>> {
  const { sandbox } = services
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const started = await sandbox?.start(webhook ? null : `${address}/api/stripe/webhook`, { faults })
  if (!started) throw new Error('a money world needs the sandbox')
  return started.stop
}
