import type { Encryption } from '@sought/server/core/encryption'
import { handoverOwner } from '@sought/server/features/money/payments/start-payment'
import type pg from 'pg'
import type { InMemoryProvider } from './in-memory-provider.ts'
import { AMOUNT, type Deal, PROPOSED_REFUND } from './payment-model.ts'
import { sessionIdOf } from './two-servers.ts'

/*
 * Inserts hundreds of deals with a few statements: a request, an offer, a payment and its ledger entries each. Their ids
 * are chosen here, far above those that the database assigns.
 */

const FIRST = 200_000_000
const PAIRS = 50

export const ADMINS = ['admin-0', 'admin-1', 'admin-2'] as const
export const HANDOVER_CODE = '123456'
export const buyerOf = (deal: number) => `buyer-${deal % PAIRS}`
export const sellerOf = (deal: number) => `seller-${deal % PAIRS}`
export const intentOf = (deal: number) => `pi_deal_${deal}`

/** The users of all deals, with sessions. */
export async function insertPeople(sql: pg.Pool): Promise<void> {
  await sql.query(
    `with people as (
       insert into users (id, email, first_name, last_name)
       select id, id || '@example.com', 'Race', id from (
         select role || '-' || n as id from generate_series(0, ${PAIRS - 1}) n, (values ('buyer'), ('seller')) roles (role)
         union all
         select unnest($1::text[])
       ) named returning id
     ), admin as (
       insert into admins (user_id) select id from people where id = any($1)
     )
     insert into sessions (sid, sess, expire)
     select $2 || id, jsonb_build_object('userId', id, 'createdAt', now(), 'seenAt', now(), 'confirmedAt', now() + interval '1 day'), now() + interval '30 days'
     from people`,
    [ADMINS, sessionIdOf('')],
  )
}

const ITEMS = `
  insert into wanted_items (id, title, description, category, location, user_id, status)
  select n, 'Lamp', 'Green', 'Other', 'Ipoh', 'buyer-' || n % ${PAIRS}, $3 from generate_series($1::int, $2::int) n`

const OFFERS = `
  insert into offers (id, wanted_item_id, buyer_id, seller_id, amount, status, expires_at, accepted_at, delivery,
    ship_within_days)
  select n, n, 'buyer-' || n % ${PAIRS}, 'seller-' || n % ${PAIRS}, ${AMOUNT}, $3::text, now() + interval '7 days',
    case when $3 = 'accepted' then now() end, $4::text, case when $4 = 'shipping' then 3 end
  from generate_series($1::int, $2::int) n`

const PAYMENTS = `
  insert into payments (id, wanted_item_id, buyer_id, seller_id, offer_id, amount, currency, stripe_payment_intent_id, status,
    escrow_hold_until, seller_accepted_at, disputed_at, dispute_reason, settlement_cents, settlement_by, settlement_at,
    delivery, ship_within_days, ship_by, shipped_at, carrier)
  select id, id, buyer_id, seller_id, id, amount, 'usd', 'pi_deal_' || id, $3::text,
    case when $3 <> 'pending' then now() + interval '5 days' end, accepted_at,
    case when $3 = 'disputed' then now() end, case when $3 = 'disputed' then 'Not green' end,
    case when $4 then ${PROPOSED_REFUND} end, case when $4 then 'seller' end, case when $4 then now() end,
    delivery, ship_within_days, case when delivery = 'shipping' then now() + interval '3 days' end,
    case when $5 then now() - interval '11 days' end, case when $5 then 'dhl' end
  from offers where id between $1::int and $2::int`

const CASES = `
  insert into dispute_cases (payment_id, opened_by, opened_at)
  select id, 'buyer', disputed_at from payments where status = 'disputed' and id between $1::int and $2::int`

const HOLDS = `
  insert into ledger_entries (key, payment_id, account, amount_cents)
  select 'hold:' || id, id, account, cents
  from payments, lateral (values ('provider', -amount), ('escrow:' || id, amount)) entry (account, cents)
  where id between $1::int and $2::int`

/** Creates deals with consecutive ids. */
export class DealFixtures {
  #next = FIRST
  readonly #sql: pg.Pool
  readonly #provider: InMemoryProvider
  readonly #encryption: Encryption

  constructor(sql: pg.Pool, provider: InMemoryProvider, encryption: Encryption) {
    this.#sql = sql
    this.#provider = provider
    this.#encryption = encryption
  }

  /** Returns the ids: request, offer and payment of a deal share one. */
  async create(start: Deal, count: number): Promise<number[]> {
    const numbers = Array.from({ length: count }, () => this.#next++)
    const range = [numbers[0], numbers.at(-1)]
    await this.#sql.query(ITEMS, [...range, start.request])
    await this.#sql.query(OFFERS, [...range, start.offer, start.delivery])
    if (start.payment === 'none') return numbers
    await this.#sql.query(PAYMENTS, [...range, start.payment, start.proposal, start.shipped])
    if (start.delivery === 'in_person') await this.#sealCodes(numbers)
    if (start.payment !== 'pending') await this.#sql.query(HOLDS, range)
    if (start.payment === 'disputed') await this.#sql.query(CASES, range)
    for (const number of numbers) this.#provider.addIntent(intentOf(number), AMOUNT, start.card)
    return numbers
  }

  async #sealCodes(numbers: readonly number[]): Promise<void> {
    const codes = await Promise.all(
      numbers.map((number) => this.#encryption.seal(HANDOVER_CODE, handoverOwner(number))),
    )
    await this.#sql.query(
      `update payments set handover_code = sealed.code
       from unnest($1::int[], $2::text[]) sealed (id, code) where payments.id = sealed.id`,
      [numbers, codes],
    )
  }

  /** Makes the hold and the shipping time of these deals expire, and of no others. */
  async makeDue(numbers: readonly number[]): Promise<void> {
    await this.#sql.query(
      `update payments set escrow_hold_until = date_trunc('milliseconds', now()) - interval '1 second',
         ship_by = case when delivery = 'shipping' then now() - interval '8 days' end
       where id = any($1)`,
      [numbers],
    )
  }
}
