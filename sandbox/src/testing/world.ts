import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import Stripe from 'stripe'
import { inject, onTestFinished } from 'vitest'
import { type ListeningSandbox, type SandboxOptions, startSandbox } from '../sandbox.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The superuser URL of the PostgreSQL of this test run. */
    postgresUrl: string
  }
}

export const SECRET_KEY = 'sk_test_sandbox0secret0key'
export const PUBLISHABLE_KEY = 'pk_test_sandbox0publishable'
export const WEBHOOK_SECRET = 'whsec_sandbox0webhook0secret'

/** A sandbox with an empty database, an SDK client and a webhook receiver. */
export interface World {
  databaseUrl: string
  sandbox: ListeningSandbox
  stripe: Stripe
  webhook: Receiver
  advanceClock(byMs: number): void
  /** Starts another sandbox on the same database. */
  startAnother(options?: Partial<SandboxOptions>): Promise<ListeningSandbox>
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  /** Runs a statement in a transaction that stays open until release(). */
  runUncommitted(statement: string): Promise<{ release(): Promise<void> }>
  /** Waits until a query is blocked by a lock. */
  waitUntilBlocked(): Promise<void>
}

export async function openWorld(options: Partial<SandboxOptions> = {}): Promise<World> {
  database ??= createDatabase()
  const { databaseUrl, pool } = await database
  await pool.query(EMPTY_TABLES)
  const webhook = await openReceiver(WEBHOOK_SECRET)
  // A fixed clock, so that nothing becomes due by itself on a slow machine.
  let now = Date.now()
  const clock = () => new Date(now)
  const startAnother = async (more: Partial<SandboxOptions> = {}) => {
    const started = await startSandbox({
      databaseUrl,
      port: 0,
      publicUrl: 'http://localhost:3000/sandbox',
      secretKey: SECRET_KEY,
      publishableKey: PUBLISHABLE_KEY,
      webhook: { url: webhook.url, secret: WEBHOOK_SECRET },
      dashboard: true,
      clock,
      log: { warn: (object, message) => console.error(message, object) },
      ...options,
      ...more,
    })
    onTestFinished(() => stopOnce(started))
    return started
  }
  const sandbox = await startAnother()
  return {
    databaseUrl,
    sandbox,
    stripe: createClient(sandbox),
    webhook,
    advanceClock: (byMs) => {
      now += byMs
    },
    startAnother,
    query: async (text, values) => (await pool.query(text, values)).rows,
    async runUncommitted(statement) {
      const client = await pool.connect()
      await client.query('begin')
      await client.query(statement)
      const release = async () => {
        await client.query('rollback')
        client.release()
      }
      return { release }
    },
    async waitUntilBlocked() {
      for (;;) {
        const { rowCount } = await pool.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        )
        if (rowCount) return
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
  }
}

const stopped = new WeakMap<ListeningSandbox, Promise<void>>()

/** Stops a sandbox. Safe to call again when the test ends. */
export function stopOnce(sandbox: ListeningSandbox): Promise<void> {
  const stopping = stopped.get(sandbox) ?? sandbox.stop()
  stopped.set(sandbox, stopping)
  return stopping
}

export function createClient({ url }: Pick<ListeningSandbox, 'url'>, key = SECRET_KEY): Stripe {
  const { hostname, port } = new URL(url)
  return new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false })
}

/** Each test worker uses one database, because creating one takes long. It is emptied for each test. */
let database: ReturnType<typeof createDatabase> | undefined

async function createDatabase() {
  const [url, admin] = [new URL(inject('postgresUrl')), new URL(inject('postgresUrl'))]
  const name = `sandbox_${randomUUID().replaceAll('-', '')}`
  url.pathname = `/${name}`
  // Not the default database: the server's tests copy it, and PostgreSQL cannot copy one that has connections.
  admin.pathname = '/template1'
  const client = new pg.Client({ connectionString: admin.href })
  await client.connect()
  await client
    .query(`create database ${name} template template0 strategy file_copy`)
    .finally(() => client.end())
  const pool = new pg.Pool({ connectionString: url.href, max: 2 })
  // PostgreSQL may end before the worker. Without a listener, that would be an unhandled error.
  pool.on('error', () => {})
  return { databaseUrl: url.href, pool }
}

const EMPTY_TABLES = `do $$
  declare name text;
  begin
    -- Foreign keys are not checked.
    set local session_replication_role = replica;
    for name in select tablename from pg_tables where schemaname = 'sandbox' and tablename <> 'steps' loop
      execute format('delete from sandbox.%I', name);
    end loop;
    if to_regclass('sandbox.delivery_settings') is not null then
      insert into sandbox.delivery_settings default values;
    end if;
  end $$`

export interface Received {
  event: Stripe.Event
  signature: string
  body: string
  at: number
}

export interface Receiver {
  url: string
  received: Received[]
  /** The response status; null closes the connection. */
  answers: { status: number | null }
  types(): string[]
  /** Waits until the received events satisfy the condition. */
  until(done: (received: Received[]) => boolean): Promise<Received[]>
}

const WAIT_LIMIT_MS = 10_000

/** A webhook that records the events. With a secret, it verifies each signature with the SDK. */
export async function openReceiver(secret: string | null): Promise<Receiver> {
  const received: Received[] = []
  const answers: Receiver['answers'] = { status: 200 }
  const server = createServer(async (request, response) => {
    const body = await readBody(request)
    const signature = String(request.headers['stripe-signature'])
    // No tolerance check, because the test clock can differ from the real one.
    const event = secret
      ? Stripe.webhooks.constructEvent(body, signature, secret, 0)
      : (JSON.parse(body) as Stripe.Event)
    received.push({ event, signature, body, at: Date.now() })
    if (answers.status === null) response.destroy()
    else response.writeHead(answers.status).end(`answered ${answers.status}`)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const types = () => received.map(({ event }) => event.type)
  return {
    url: `http://127.0.0.1:${port}/webhook`,
    received,
    answers,
    types,
    async until(done) {
      const limit = Date.now() + WAIT_LIMIT_MS
      while (!done(received)) {
        if (Date.now() > limit) throw new Error(`timed out; received so far: ${types().join(', ')}`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      return received
    },
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

export async function createPaidIntent(
  stripe: Stripe,
  amount = 12_000,
  card = 'pm_card_visa',
  currency = 'usd',
) {
  const intent = await stripe.paymentIntents.create({
    amount,
    currency,
    capture_method: 'automatic',
    payment_method: card,
    confirm: true,
    return_url: 'http://localhost:3000/payment-success',
  })
  return { intent, charge: String(intent.latest_charge) }
}

export async function createOnboardedAccount(world: World, { country = 'US' } = {}): Promise<string> {
  const account = await world.stripe.accounts.create({
    type: 'express',
    country,
    email: 'seller@example.com',
    capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
  })
  await completeOnboarding(world, account.id)
  return account.id
}

export async function completeOnboarding({ stripe, sandbox }: World, account: string): Promise<void> {
  const { url } = await stripe.accountLinks.create({
    account,
    type: 'account_onboarding',
    return_url: 'http://localhost:3000/seller-setup?success=true',
    refresh_url: 'http://localhost:3000/seller-setup?refresh=true',
  })
  const page = await (await fetch(toSandboxUrl(sandbox, url))).text()
  const [, action = ''] = /action="([^"]*\/complete)"/.exec(page) ?? []
  const answer = await fetch(toSandboxUrl(sandbox, action), { method: 'POST', redirect: 'manual' })
  if (answer.status !== 303) throw new Error(`onboarding answered ${answer.status}`)
}

/** Replaces the public URL by the sandbox's own, because no server runs in front of it in tests. */
export function toSandboxUrl(sandbox: ListeningSandbox, address: string): string {
  const { pathname, search } = new URL(address, 'http://localhost:3000')
  return sandbox.url + pathname + search
}

/** The error of a refused call. */
export async function getError(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await call
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error
    throw error
  }
  throw new Error('the call was not refused')
}

export interface Confirmed {
  status: number
  headers: Headers
  /** The payment or the error. */
  body: Stripe.PaymentIntent & {
    error?: Stripe.errors.StripeError & { payment_intent: Stripe.PaymentIntent }
  }
}

export interface CardForm {
  number?: string
  exp_month?: string
  exp_year?: string
  cvc?: string
}

/** Confirms a payment like the card form in a browser: with a publishable key and the client secret. */
export async function confirmInBrowser(
  { sandbox }: Pick<World, 'sandbox'>,
  { id, client_secret }: Stripe.PaymentIntent,
  card: CardForm | string,
): Promise<Confirmed> {
  const details = typeof card === 'string' ? { number: card } : card
  const filled = { number: '4242424242424242', exp_month: '12', exp_year: '2034', cvc: '123', ...details }
  const form = new URLSearchParams({
    client_secret: String(client_secret),
    'payment_method_data[type]': 'card',
    'payment_method_data[billing_details][name]': 'Ada Buyer',
    'payment_method_data[billing_details][address][country]': 'US',
    return_url: 'http://localhost:3000/payment-success?escrow=true',
  })
  for (const [name, value] of Object.entries(filled)) form.set(`payment_method_data[card][${name}]`, value)
  const answer = await fetch(`${sandbox.url}/v1/payment_intents/${id}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${PUBLISHABLE_KEY}` },
    body: form,
  })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Confirmed['body'] }
}
