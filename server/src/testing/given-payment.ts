import type pg from 'pg'

interface Given {
  buyer: { id: string }
  seller: { id: string }
  status?: string
  amount?: number
  title?: string
}

/** Inserts a request, an accepted offer and its payment in the given status. Returns the payment's id. */
export async function givenPayment(
  sql: Pick<pg.ClientBase, 'query'>,
  { buyer, seller, status = 'completed', amount = 12_000, title = 'Lamp' }: Given,
): Promise<number> {
  const { rows } = await sql.query(
    `with item as (
       insert into wanted_items (title, description, category, location, user_id)
         values ($1, 'Green', 'Other', 'Ipoh', $2) returning id
     ), offer as (
       insert into offers (wanted_item_id, buyer_id, seller_id, amount, expires_at, status, accepted_at)
         select id, $2, $3, $4, now(), 'accepted', now() from item returning id, wanted_item_id
     )
     insert into payments (wanted_item_id, buyer_id, seller_id, offer_id, amount, status,
         escrow_hold_until, completed_at, disputed_at, ended_at)
       select wanted_item_id, $2, $3, id, $4, $5,
         case when $5 <> 'pending' then now() end,
         case when $5 = 'completed' then now() end,
         case when $5 in ('disputed', 'under_review') then now() end,
         case when $5 not in ('pending', 'held_in_escrow', 'disputed', 'under_review') then now() end
       from offer returning id`,
    [title, buyer.id, seller.id, amount, status],
  )
  return rows[0].id
}
