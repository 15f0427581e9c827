import { sql } from 'drizzle-orm'
import type { Db } from '../../../database/database.ts'
import type { CardProvider } from '../../../providers/stripe/card-provider.ts'
import {
  comparePayments,
  findUnassigned,
  importMovements,
  readFrom,
  sumByCurrency,
} from './provider-movements.ts'

/*
 * Checks the ledger of the whole database. Each rule is one statement that selects its violations.
 */

const MAX_REPORTED = 20

/** The sum of goodwill payments that were granted but not paid yet. */
const owedGoodwill = (recipient: 'buyer' | 'seller') => sql`(
  select payment_id, amount_cents from goodwill_payments
  where status = 'done' and paid_at is null and recipient = ${recipient}
) goodwill`

const rules = [
  {
    rule: 'the entries of a key sum to zero in each currency',
    broken: sql`
      select 'key ' || key || ' sums to ' || sum(amount_cents) || ' ' || currency as what
      from ledger_entries group by key, currency having sum(amount_cents) <> 0`,
  },
  {
    rule: 'a payment held in escrow has exactly its amount there, less refunds; any other payment has nothing',
    broken: sql`
      select 'payment ' || p.id || ' is ' || p.status || ' with ' || coalesce(e.cents, 0) || ' in escrow' as what
      from payments p
      left join (
        select account, sum(amount_cents) as cents from ledger_entries where account like 'escrow:%' group by account
      ) e on e.account = 'escrow:' || p.id
      where coalesce(e.cents, 0) <>
        case when p.status in ('held_in_escrow', 'disputed', 'under_review') then p.amount - p.returned_cents else 0 end`,
  },
  {
    rule: 'only the provider’s balance, its conversions and fees, losses, goodwill and debts may be negative',
    broken: sql`
      select account || ' has a balance of ' || sum(amount_cents) || ' ' || currency as what
      from ledger_entries
      where account not in ('provider', 'fees:provider', 'platform:goodwill')
        and account not like 'fx:%' and account not like 'losses:%' and account not like 'debt:%'
      group by account, currency having sum(amount_cents) < 0`,
  },
  {
    rule: 'a seller’s balance for a payment is what is still to be paid out, with goodwill',
    broken: sql`
      select 'payment ' || coalesce(l.payment_id, o.payment_id) || ' has a seller balance of ' || coalesce(l.cents, 0)
        || ' and ' || coalesce(o.cents, 0) || ' to be paid out' as what
      from (
        select payment_id, sum(amount_cents) as cents from ledger_entries where account like 'seller:%' group by payment_id
      ) l
      full join (
        select payment_id, sum(cents) as cents from (
          select payment_id, case
            when status in ('owed', 'sending', 'reversed') or status = 'frozen' and paid_at is null
              then coalesce(nullif(reversed_cents, 0), amount)
            else 0 end as cents
          from payouts
          union all select payment_id, amount_cents from ${owedGoodwill('seller')}
        ) owed group by payment_id
      ) o on o.payment_id = l.payment_id
      where coalesce(l.cents, 0) <> coalesce(o.cents, 0)`,
  },
  {
    rule: 'a buyer’s balance for a payment is what is still to be refunded, with goodwill',
    broken: sql`
      select 'payment ' || p.id || ' has a buyer balance of ' || coalesce(l.cents, 0) as what
      from payments p
      left join (
        select payment_id, sum(amount_cents) as cents from ledger_entries where account like 'buyer:%' group by payment_id
      ) l on l.payment_id = p.id
      left join (
        select payment_id, sum(amount_cents) as cents from ${owedGoodwill('buyer')} group by payment_id
      ) g on g.payment_id = p.id
      where coalesce(l.cents, 0) <>
        case when p.refunded_at is null then coalesce(p.refund_cents, 0) else 0 end + coalesce(g.cents, 0)`,
  },
  {
    rule: 'goodwill payments that were granted, and no others, are booked',
    broken: sql`
      select 'payment ' || coalesce(l.payment_id, g.payment_id) || ' has ' || coalesce(l.cents, 0)
        || ' of goodwill booked and ' || coalesce(g.cents, 0) || ' granted' as what
      from (
        select payment_id, -sum(amount_cents) as cents from ledger_entries
        where account = 'platform:goodwill' group by payment_id
      ) l
      full join (
        select payment_id, sum(amount_cents) as cents from goodwill_payments where status = 'done' group by payment_id
      ) g on g.payment_id = l.payment_id
      where coalesce(l.cents, 0) <> coalesce(g.cents, 0)`,
  },
  {
    rule: 'a user’s account of debts is exactly what their open debts leave to be paid',
    broken: sql`
      select 'user ' || coalesce(l.debtor, d.user_id) || ' has a balance of ' || coalesce(l.cents, 0)
        || ' and owes ' || coalesce(d.cents, 0) || ' ' || coalesce(l.currency, d.currency) as what
      from (
        select substr(account, length('debt:') + 1) as debtor, currency, sum(amount_cents) as cents
        from ledger_entries where account like 'debt:%' group by account, currency
      ) l
      full join (
        select user_id, currency, sum(amount_cents - settled_cents - given_up_cents) as cents from debts group by user_id, currency
      ) d on d.user_id = l.debtor and d.currency = l.currency
      where coalesce(l.cents, 0) + coalesce(d.cents, 0) <> 0`,
  },
  {
    rule: 'entries name the buyer, seller and currency of their payment',
    broken: sql`
      select 'entry ' || e.id || ' of payment ' || p.id || ' names ' || e.account || ' in ' || e.currency as what
      from ledger_entries e join payments p on p.id = e.payment_id
      where e.account like 'fx:%' and e.account <> 'fx:' || e.currency
         or e.account not like 'fx:%' and e.account not in ('provider', 'fees:provider')
           and e.currency <> coalesce(p.mischarged_currency, p.currency)
         or e.account like 'seller:%' and e.account <> 'seller:' || p.seller_id
         or e.account like 'debt:%' and e.account <> 'debt:' || p.seller_id
         or e.account like 'buyer:%' and e.account <> 'buyer:' || p.buyer_id
         or e.account like 'escrow:%' and e.account <> 'escrow:' || p.id`,
  },
]

export interface LedgerReport {
  payments: number
  entries: number
  /** One line for each problem. */
  problems: string[]
  /** One line for each currency of our balance at the provider. */
  totals: string[]
}

/** With a provider, also compares all movements of our balance there with the ledger. */
export async function checkLedger(db: Db, cards: CardProvider | null): Promise<LedgerReport> {
  const problems: string[] = []
  for (const { rule, broken } of rules) {
    // The violations are materialized, because with a plain limit the planner expects to stop early and chooses a
    // nested loop over all pairs.
    const { rows } = await db.execute<{ what: string }>(
      sql`with broken as materialized (${broken}) select what from broken limit ${MAX_REPORTED}`,
    )
    problems.push(...rows.map(({ what }) => `${what}: ${rule}`))
  }
  if (cards) problems.push(...(await compareWithProvider(db, cards)))
  const { rows } = await db.execute<{ payments: string; entries: string }>(
    sql`select (select count(*) from payments) as payments, (select count(*) from ledger_entries) as entries`,
  )
  const totals = cards ? await sumByCurrency(db) : []
  return { payments: Number(rows[0]?.payments), entries: Number(rows[0]?.entries), problems, totals }
}

/**
 * Unlike the nightly reconciliation (ADR 41), this compares all payments, including those with very recent
 * changes.
 */
async function compareWithProvider(db: Db, cards: CardProvider): Promise<string[]> {
  await importMovements(db, cards, await readFrom(db))
  const problems: string[] = []
  for await (const { differences } of comparePayments(db, { since: null, quietSince: null }))
    problems.push(...differences.map(({ text }) => text))
  for await (const unassigned of findUnassigned(db, null))
    problems.push(...unassigned.map(({ text }) => text))
  return problems
}
