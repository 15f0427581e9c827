import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../../database/database.ts'
import { type CardProvider, ProviderFailed } from '../../../providers/stripe/card-provider.ts'
import { paidIntent } from '../../../testing/known-charges.ts'
import { openWorld, type Person, type World } from '../../../testing/world.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { releaseDue } from './release-payments.ts'

/** Inserts held payments of 10.00 for one request, all due at the same moment. Returns their ids. */
async function givenDue(world: World, count: number, buyer: Person, seller: Person): Promise<number[]> {
  const { rows } = await world.sql.query(
    `with item as (
       insert into wanted_items (title, description, category, location, user_id)
       values ('Lamp', 'Green', 'Other', 'Ipoh', $2) returning id
     ), agreed as (
       insert into offers (wanted_item_id, buyer_id, seller_id, amount, status, accepted_at, expires_at)
       select id, $2, $3, 1000, 'accepted', now(), now() from item, generate_series(1, $1::integer) returning *
     ), paid as (
       insert into payments (wanted_item_id, buyer_id, seller_id, offer_id, amount, currency, status, escrow_hold_until)
       select wanted_item_id, buyer_id, seller_id, id, amount, 'usd', 'held_in_escrow', '2026-01-01' from agreed
       returning id, amount
     ), booked as (
       insert into ledger_entries (key, payment_id, account, amount_cents)
       select 'hold:' || id, id, account, cents from paid,
         lateral (values ('provider', -amount), ('escrow:' || id, amount)) as entry (account, cents)
     )
     select id from paid order by id`,
    [count, buyer.id, seller.id],
  )
  return rows.map(({ id }) => id)
}

async function count(world: World, from: string, values: unknown[] = []): Promise<number> {
  const { rows } = await world.sql.query(`select count(*)::integer as found from ${from}`, values)
  return rows[0].found
}

const released = (world: World) => count(world, "payments where status = 'completed'")

async function expectBooksRight({ services }: World): Promise<void> {
  expect((await checkLedger(services.database.read, null)).problems).toEqual([])
}

test('all due payments are released over several batches; a locked one is skipped and released later', async () => {
  const world = await openWorld()
  const [ada, bob] = [await world.signUp('Ada'), await world.signUp('Bob')]
  const due = await givenDue(world, 120, ada, bob)
  const mover = await world.sql.connect()
  onTestFinished(() => mover.release(true))
  await mover.query('begin')
  await mover.query('select from payments where id = $1 for update', [due[10]])

  expect(await releaseDue(world.services)).toBe(119)
  expect(await released(world)).toBe(119)
  await mover.query('rollback')
  expect(await releaseDue(world.services)).toBe(1)
  expect(await releaseDue(world.services)).toBe(0)

  // The fees on 10.00 are 0.30 and 0.59.
  const { rows } = await world.sql.query(
    'select account, sum(amount_cents)::integer as cents from ledger_entries group by account having sum(amount_cents) <> 0 order by 1',
  )
  expect(rows).toEqual([
    { account: 'fees:platform', cents: 120 * 30 },
    { account: 'fees:processing', cents: 120 * 59 },
    { account: 'provider', cents: -120 * 1000 },
    { account: `seller:${bob.id}`, cents: 120 * 911 },
  ])
  expect(await count(world, "payouts where amount = 911 and status = 'owed' and method is null")).toBe(120)
  expect(await count(world, "wanted_items where status = 'fulfilled'")).toBe(1)
  await expectBooksRight(world)
})

test('an aborted release finishes its batch and starts no other', async () => {
  const world = await openWorld()
  await givenDue(world, 120, await world.signUp('Ada'), await world.signUp('Bob'))
  const { database } = world.services
  const stopping = new AbortController()
  const stoppedInside: Database = {
    ...database,
    transact: (work) => {
      stopping.abort()
      return database.transact(work)
    },
  }

  expect(await releaseDue({ database: stoppedInside }, stopping.signal)).toBe(50)
  expect(await released(world)).toBe(50)
  await expectBooksRight(world)
  expect(await releaseDue(world.services)).toBe(70)
})

test('each payout whose seller has a payout method gets a job, other payouts get none', async () => {
  const world = await openWorld()
  const ada = await world.signUp('Ada')
  const [account, bank, nothing] = [
    await world.signUp('Bob'),
    await world.signUp('Cleo'),
    await world.signUp('Dan'),
  ]
  await world.sql.query("update users set stripe_connect_account_id = 'acct_1' where id = $1", [account.id])
  await world.sql.query("update users set bank_account_details = 'sealed' where id = $1", [bank.id])
  for (const seller of [account, bank, nothing]) await givenDue(world, 2, ada, seller)

  expect(await releaseDue(world.services)).toBe(6)
  const { rows: jobs } = await world.sql.query(
    "select key from graphile_worker.jobs where task_identifier = 'pay-seller' order by key",
  )
  const { rows: payable } = await world.sql.query(
    "select 'pay-seller:' || id as key from payouts where seller_id = any($1) order by 1",
    [[account.id, bank.id]],
  )
  expect(payable).toHaveLength(4)
  expect(jobs).toEqual(payable)
})

test('payments without an answer of the provider are postponed and do not block the others', {
  tags: ['proof'],
}, async () => {
  const world = await openWorld()
  const due = await givenDue(world, 160, await world.signUp('Ada'), await world.signUp('Bob'))
  await world.sql.query("update payments set stripe_payment_intent_id = 'pi_' || id")
  const failures = new Map<string, Error>()
  const { cards } = world.services
  if (!cards) throw new Error('this test needs the sandbox')
  let asking = 0
  let mostAsking = 0
  const readIntent: CardProvider['readIntent'] = async (intentId) => {
    mostAsking = Math.max(mostAsking, ++asking)
    await new Promise(setImmediate)
    asking--
    const failure = failures.get(intentId)
    if (failure) throw failure
    return paidIntent(intentId)
  }
  const services = { ...world.services, cards: { ...cards, readIntent } }

  // The provider refuses to answer for 60 payments, which is more than a batch. For the next one, our own code fails.
  for (const id of due.slice(0, 60)) failures.set(`pi_${id}`, new ProviderFailed('refused', null))
  failures.set(`pi_${due[60]}`, new Error('unreadable'))
  expect(await releaseDue(services)).toBe(99)
  expect(mostAsking).toBe(4)
  for (const id of due.slice(0, 61)) failures.set(`pi_${id}`, new ProviderFailed('unknown', null))
  expect(await releaseDue(services)).toBe(0)
  failures.clear()
  expect(await releaseDue(services)).toBe(61)
  await expectBooksRight(world)
})
