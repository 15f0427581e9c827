import { type DeliveryMethod, SHIP_WITHIN_DAYS_DEFAULT } from '@sought/escrow/delivery'
import type pg from 'pg'

type Sql = Pick<pg.ClientBase, 'query'>

interface Agreement {
  buyer: { id: string }
  seller: { id: string }
  amount?: number | undefined
  title?: string
  delivery?: DeliveryMethod | undefined
  shipWithinDays?: number | undefined
  now?: Date
}

/**
 * Inserts a request and its accepted offer, because tests need hundreds of them and the calls would take ten times
 * as long. Nobody is notified.
 */
export async function givenAgreement(
  sql: Sql,
  {
    buyer,
    seller,
    amount = 12_000,
    title = 'Lamp',
    delivery = 'arranged',
    shipWithinDays = SHIP_WITHIN_DAYS_DEFAULT,
    now = new Date(),
  }: Agreement,
): Promise<{ itemId: number; offerId: number }> {
  const { rows } = await sql.query(
    `with item as (
       insert into wanted_items (title, description, category, location, user_id, created_at, updated_at)
         values ($1, 'Green', 'Other', 'Ipoh', $2, $4, $4) returning id
     )
     insert into offers (wanted_item_id, buyer_id, seller_id, amount, delivery, ship_within_days, expires_at,
         status, accepted_at, created_at, updated_at)
       select id, $2, $3, $5, $6, $7, $4::timestamptz + interval '3 days', 'accepted', $4, $4, $4 from item
       returning wanted_item_id as "itemId", id as "offerId"`,
    [title, buyer.id, seller.id, now, amount, delivery, delivery === 'shipping' ? shipWithinDays : null],
  )
  return rows[0]
}

/** Inserts a request, an accepted offer and its payment in the given status. Returns the payment's id. */
export async function givenPayment(
  sql: Sql,
  { status = 'completed', ...agreement }: Agreement & { status?: string },
): Promise<number> {
  const { offerId } = await givenAgreement(sql, agreement)
  const { rows } = await sql.query(
    `with paid as (
       insert into payments (wanted_item_id, buyer_id, seller_id, offer_id, amount, currency, delivery, ship_within_days,
         status, escrow_hold_until, completed_at, disputed_at, ended_at)
       select wanted_item_id, buyer_id, seller_id, id, amount, 'usd', delivery, ship_within_days, $2,
         case when $2 <> 'pending' then now() end,
         case when $2 = 'completed' then now() end,
         case when $2 in ('disputed', 'under_review') then now() end,
         case when $2 not in ('pending', 'held_in_escrow', 'disputed', 'under_review') then now() end
       from offers where id = $1 returning *
     ), opened as (
       insert into dispute_cases (payment_id, opened_by, opened_at)
       select id, 'buyer', disputed_at from paid where status in ('disputed', 'under_review')
     )
     select id from paid`,
    [offerId, status],
  )
  return rows[0].id
}
