import { expect, test } from 'vitest'
import { openWorld, type World } from '../../../testing/world.ts'
import { checkLedger } from './check-ledger.ts'

const HELD = 5_000
const PENDING = 60_000

/** Inserts held payments of 10.00 with their entries, and many more that are still pending. */
async function givenPayments(world: World): Promise<void> {
  const [buyer, seller] = [await world.signUp('Ada'), await world.signUp('Bob')]
  const client = await world.sql.connect()
  try {
    // Skips foreign keys and triggers, which would check every row.
    await client.query('set session_replication_role = replica')
    await client.query(
      `with paid as (
         insert into payments (wanted_item_id, buyer_id, seller_id, offer_id, amount, currency, status, escrow_hold_until)
         select 1, $1, $2, n, 1000, 'usd', case when n <= ${HELD} then 'held_in_escrow' else 'pending' end, now()
         from generate_series(1, ${HELD + PENDING}) n returning id, amount, status
       )
       insert into ledger_entries (key, payment_id, account, amount_cents, currency)
       select 'hold:' || id, id, account, cents, 'usd' from paid,
         lateral (values ('provider', -amount), ('escrow:' || id, amount)) as entry (account, cents)
       where status = 'held_in_escrow'`,
      [buyer.id, seller.id],
    )
    await client.query('analyze payments, ledger_entries')
  } finally {
    client.release(true)
  }
}

test('the check of a large ledger finishes within its time limit', { tags: ['proof'] }, async () => {
  const world = await openWorld()
  await givenPayments(world)
  const began = performance.now()
  const report = await checkLedger(world.services.database.read, null)
  expect(report).toEqual({ payments: HELD + PENDING, entries: 2 * HELD, problems: [], totals: [] })
  expect(performance.now() - began).toBeLessThan(3_000)
})
