import type pg from 'pg'
import type { Deal } from './payment-model.ts'

interface Row extends Omit<Deal, 'card' | 'proposal' | 'late'> {
  number: number
}

/** The current state of deals in the database. */
export async function readDeals(sql: pg.Pool, numbers: readonly number[]): Promise<Map<number, Deal>> {
  const { rows } = await sql.query<Row>(
    `select o.id as number, o.status as offer, i.status as request, coalesce(p.status, 'none') as payment,
       coalesce(p.escrow_hold_until <= now(), false) as due, o.delivery, p.shipped_at is not null as shipped,
       p.cancel_requested_at is not null as "cancelRequested", p.refund_cents as "refundCents",
       (select sum(amount)::int from payouts where payment_id = p.id) as "owedCents",
       array(select distinct split_part(key, ':', 1) from ledger_entries where payment_id = p.id) as posted,
       array(select action from dispute_timeline where dispute_id = p.id order by id) as timeline,
       array(
         select case user_id when o.buyer_id then 'buyer ' when o.seller_id then 'seller ' else user_id || ' ' end
           || split_part(key, ':', 1)
         from notifications n where n.payment_id = p.id or n.wanted_item_id = o.wanted_item_id
       ) as notified
     from offers o join wanted_items i on i.id = o.wanted_item_id left join payments p on p.offer_id = o.id
     where o.id = any($1)`,
    [numbers],
  )
  return new Map(
    rows.map(({ number, ...deal }) => [number, { ...deal, card: 'unpaid', proposal: false, late: false }]),
  )
}
