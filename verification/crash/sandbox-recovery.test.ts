import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import {
  createClient,
  createOnboardedAccount,
  openWorld,
  PUBLISHABLE_KEY,
  SECRET_KEY,
  stopOnce,
  WEBHOOK_SECRET,
  type World,
} from '@sought/sandbox/testing/world'
import { expect, onTestFinished, test } from 'vitest'

const ROUNDS = 4

type Client = World['stripe']

test('after a kill at any time, every call of the sandbox is stored completely or not at all', async () => {
  const world = await openWorld()
  const destination = await createOnboardedAccount(world)
  await stopOnce(world.sandbox)
  const answered: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { child, stripe } = await serve(world)
    const working = Array.from({ length: 6 }, () => makePayments(stripe, destination, answered))
    // An odd number, so that some calls are always in progress when it is killed.
    const enough = answered.length + 11 + round * 2
    await expect.poll(() => answered.length, { interval: 1 }).toBeGreaterThan(enough)
    child.kill('SIGKILL')
    await Promise.all(working)
  }

  await expectConsistentMoney(world)
  const kept = await world.query<{ id: string }>('select id from sandbox.objects where id = any ($1)', [
    answered,
  ])
  expect(kept).toHaveLength(new Set(answered).size)
  const undelivered = await world.query(
    `select id from sandbox.objects e where kind = 'event'
       and not exists (select from sandbox.deliveries where event_id = e.id)`,
  )
  expect(undelivered).toEqual([])

  // The killed processes used the real clock, which is ahead of the test's fixed clock.
  world.advanceClock(600_000)
  const next = await world.startAnother()
  await expect.poll(() => next.waiting()).toEqual({ pending: 0, held: 0 })
  const events = await world.query<{ id: string }>(`select id from sandbox.objects where kind = 'event'`)
  const heard = new Set(world.webhook.received.map(({ event }) => event.id))
  expect(events.filter(({ id }) => !heard.has(id))).toEqual([])
})

async function serve({ databaseUrl, webhook }: World): Promise<{ child: ChildProcess; stripe: Client }> {
  const options = {
    databaseUrl,
    port: 0,
    publicUrl: 'http://localhost:3000/sandbox',
    secretKey: SECRET_KEY,
    publishableKey: PUBLISHABLE_KEY,
    webhook: { url: webhook.url, secret: WEBHOOK_SECRET },
    dashboard: false,
  }
  const child = spawn(
    process.execPath,
    [fileURLToPath(import.meta.resolve('@sought/sandbox/testing/serve')), JSON.stringify(options)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { child, stripe: createClient({ url }) }
}

/** Pays, refunds and transfers until the connection breaks, and collects the ids of confirmed objects. */
async function makePayments(stripe: Client, destination: string, answered: string[]): Promise<void> {
  try {
    for (;;) {
      const intent = await stripe.paymentIntents.create({
        amount: 10_000,
        currency: 'usd',
        payment_method: 'pm_card_visa',
        confirm: true,
      })
      const charge = String(intent.latest_charge)
      answered.push(intent.id, charge)
      const transfer = { amount: 6_000, currency: 'usd', destination, source_transaction: charge }
      answered.push((await stripe.transfers.create(transfer)).id)
      answered.push((await stripe.refunds.create({ charge, amount: 4_000 })).id)
    }
  } catch (error) {
    if (!(error instanceof Error && 'type' in error && error.type === 'StripeConnectionError')) throw error
  }
}

/** Checks that charges, refunds, transfers, balance, keys and events agree with each other. */
async function expectConsistentMoney(world: World): Promise<void> {
  const wrongCharges = await world.query(
    `select c.id from sandbox.objects c where kind = 'charge' and (
       (c.body ->> 'amount_refunded')::int <> (
         select coalesce(sum((r.body ->> 'amount')::int), 0) from sandbox.objects r
         where r.kind = 'refund' and r.body ->> 'charge' = c.id)
       or (c.hidden ->> 'transferred')::int <> (
         select coalesce(sum((t.body ->> 'amount')::int), 0) from sandbox.objects t
         where t.kind = 'transfer' and t.body ->> 'source_transaction' = c.id)
       or not exists (
         select from sandbox.objects p where p.id = c.body ->> 'payment_intent'
           and p.body ->> 'status' = 'succeeded' and p.body ->> 'latest_charge' = c.id))`,
  )
  expect(wrongCharges).toEqual([])
  const [sums] = await world.query<{ entries: string; objects: string }>(
    `select
       (select sum((body ->> 'amount')::bigint) from sandbox.objects
        where kind = 'balance_transaction' and account is null) as entries,
       (select sum((body ->> 'amount')::bigint * case kind when 'charge' then 1 else -1 end)
        from sandbox.objects where kind in ('charge', 'refund', 'transfer')) as objects`,
  )
  expect(sums?.entries).toBe(sums?.objects)
  const unkept = await world.query(
    `select key from sandbox.idempotency_keys k where status = 200 and k.body::json ->> 'id' is not null
       and not exists (select from sandbox.objects where id = k.body::json ->> 'id')`,
  )
  expect(unkept).toEqual([])
  const eventless = await world.query(
    `select o.id from sandbox.objects o where kind in ('charge', 'refund', 'transfer')
       and not exists (select from sandbox.objects e where e.kind = 'event' and e.body #>> '{data,object,id}' = o.id)`,
  )
  expect(eventless).toEqual([])
}
