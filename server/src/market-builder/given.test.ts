import { PAYMENT_STATUSES } from '@sought/escrow/payment-status'
import { expect, test } from 'vitest'
import { shareMoneyWorld } from '../testing/money-world.ts'
import type { World } from '../testing/world.ts'
import { createGiven } from './given.ts'
import { createInProcessMarket } from './in-process-market.ts'

const shared = shareMoneyWorld()

/** The rows of a deal, without ids, times and what only a real provider adds. */
async function rowsOf({ sql }: World, paymentId: number) {
  const { rows } = await sql.query(
    `select p.status, p.amount, p.currency, p.refund_cents, p.dispute_reason, p.delivery, o.status as offer,
       i.status as request, i.title, extract(day from p.escrow_hold_until - p.charged_at) as hold_days,
       extract(day from p.ship_by - p.charged_at) as ship_days,
       array(select split_part(key, ':', 1) || ' ' || split_part(account, ':', 1) || ' ' || amount_cents
         from ledger_entries where payment_id = p.id and key !~ '^(provider|cancellation)-fee' order by id) as entries,
       array(select status || ' ' || amount from payouts where payment_id = p.id) as payouts,
       array(select concat_ws(' ', opened_by, ending, ruled_by is not null) from dispute_cases where payment_id = p.id) as cases,
       array(select action from dispute_timeline where dispute_id = p.id order by id) as timeline
     from payments p join offers o on o.id = offer_id join wanted_items i on i.id = p.wanted_item_id where p.id = $1`,
    [paymentId],
  )
  return rows[0]
}

test.each(PAYMENT_STATUSES)(
  'a copied deal is the same as one made by people: %s',
  { tags: ['proof'] },
  async (status) => {
    const world = await shared()
    const made = await createGiven(createInProcessMarket(world.services)).payment({ status })
    const copied = await world.given.payment({ status })
    const rows = await rowsOf(world, copied.paymentId)
    expect(rows.status).toBe(status)
    expect(rows).toEqual(await rowsOf(world, made.paymentId))
    await world.expectBooksRight()
  },
)

test('the parties of a copied deal see it, and nobody was notified', async () => {
  const { given, ada, bob } = await shared()
  const { paymentId } = await given.dispute({ buyer: ada, seller: bob, amount: 5_000, reason: 'Torn' })
  for (const person of [ada, bob]) {
    const { dispute } = (await person.call(`GET /api/disputes/${paymentId}`)).json()
    expect(dispute).toMatchObject({ id: paymentId, status: 'disputed', amount: 5_000 })
    expect((await person.call('GET /api/notifications')).json()).toEqual([])
  }
})
