import { type DeliveryMethod, SHIP_WITHIN_DAYS_DEFAULT } from '@sought/escrow/delivery'
import type pg from 'pg'

type Sql = Pick<pg.ClientBase, 'query'>

interface Agreement {
  buyer: { id: string }
  seller: { id: string }
  amount: number
  delivery: DeliveryMethod
  shipWithinDays?: number | undefined
  now: Date
}

/**
 * Inserts a request and its accepted offer, because tests need hundreds of them and the calls would take ten times
 * as long. Nobody is notified.
 */
export async function givenAgreement(
  sql: Sql,
  { buyer, seller, amount, delivery, shipWithinDays = SHIP_WITHIN_DAYS_DEFAULT, now }: Agreement,
): Promise<{ itemId: number; offerId: number }> {
  const { rows } = await sql.query(
    `with item as (
       insert into wanted_items (title, description, category, location, user_id, created_at, updated_at)
         values ('Lamp', 'Green', 'Other', 'Ipoh', $1, $3, $3) returning id
     )
     insert into offers (wanted_item_id, buyer_id, seller_id, amount, delivery, ship_within_days, expires_at,
         status, accepted_at, created_at, updated_at)
       select id, $1, $2, $4, $5, $6, $3::timestamptz + interval '3 days', 'accepted', $3, $3, $3 from item
       returning wanted_item_id as "itemId", id as "offerId"`,
    [buyer.id, seller.id, now, amount, delivery, delivery === 'shipping' ? shipWithinDays : null],
  )
  return rows[0]
}

interface Given {
  buyer: { id: string }
  seller: { id: string }
  status?: string
  amount?: number
  title?: string
  delivery?: DeliveryMethod
  shipWithinDays?: number
}

/** Inserts a request, an accepted offer and its payment in the given status. Returns the payment's id. */
export async function givenPayment(
  sql: Sql,
  {
    buyer,
    seller,
    status = 'completed',
    amount = 12_000,
    title = 'Lamp',
    delivery = 'arranged',
    shipWithinDays,
  }: Given,
): Promise<number> {
  const { rows } = await sql.query(
    `with item as (
       insert into wanted_items (title, description, category, location, user_id)
         values ($1, 'Green', 'Other', 'Ipoh', $2) returning id
     ), offer as (
       insert into offers (wanted_item_id, buyer_id, seller_id, amount, expires_at, status, accepted_at,
           delivery, ship_within_days)
         select id, $2, $3, $4, now(), 'accepted', now(), $6, $7 from item returning id, wanted_item_id
     )
     insert into payments (wanted_item_id, buyer_id, seller_id, offer_id, amount, status,
         escrow_hold_until, completed_at, disputed_at, ended_at, delivery, ship_within_days)
       select wanted_item_id, $2, $3, id, $4, $5,
         case when $5 <> 'pending' then now() end,
         case when $5 = 'completed' then now() end,
         case when $5 in ('disputed', 'under_review') then now() end,
         case when $5 not in ('pending', 'held_in_escrow', 'disputed', 'under_review') then now() end,
         $6, $7
       from offer returning id`,
    [title, buyer.id, seller.id, amount, status, delivery, shipWithinDays ?? null],
  )
  return rows[0].id
}
