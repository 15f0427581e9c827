import { formatForInput } from '@sought/contract/money'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../database/database.ts'
import type { CardProvider, Movement } from '../../../providers/stripe/card-provider.ts'

/*
 * Compares every movement of our balance at the provider with the ledger. The movements are stored, so that each is
 * read only once or twice. Amounts are summed by payment and kind: a payment agrees if all its sums do.
 */

/** Imports overlap by this much, because the provider lists some movements late. */
const OVERLAP_MS = 2 * 86_400_000
const PAGE = 500

/** Imports the movements since then, with an overlap. Returns their number. */
export async function importMovements(db: Db, cards: CardProvider, since: Date): Promise<number> {
  let count = 0
  for await (const page of cards.movementsSince(new Date(since.getTime() - OVERLAP_MS))) {
    await saveMovements(db, page)
    count += page.length
  }
  return count
}

/** Stores all movements so far without a payment, so that they are not compared. */
export async function setMovementsAside(db: Db, cards: CardProvider): Promise<void> {
  for await (const page of cards.movementsSince(new Date(0)))
    await saveMovements(
      db,
      page.map((movement) => ({ ...movement, kind: 'own', intentId: null, paymentId: null })),
    )
}

async function saveMovements(db: Db, movements: Movement[]): Promise<void> {
  await db.execute(sql`
    insert into provider_transactions (id, payment_id, kind, type, amount_cents, fee_cents, currency, created_at)
    select movement.id, payment.id, kind, type, "amountCents", "feeCents", currency, "createdAt"
    from json_to_recordset(${JSON.stringify(movements)}) as movement (id text, kind text, type text,
        "amountCents" bigint, "feeCents" bigint, currency text, "createdAt" timestamptz, "intentId" text,
        "paymentId" integer),
      lateral (
        select coalesce(
          (select id from payments where stripe_payment_intent_id = "intentId"),
          (select id from payments where id = "paymentId")
        ) as id
      ) payment
    on conflict (id) do update set payment_id = excluded.payment_id
      where provider_transactions.payment_id is null and excluded.payment_id is not null`)
}

/** The time to import movements from: the last reconciliation, or the first payment. */
export async function readFrom(db: Db): Promise<Date> {
  const { rows } = await db.execute<{ at: string | null }>(sql`
    select coalesce((select max(started_at) from reconciliations), (select min(created_at) from payments)) as at`)
  return rows[0]?.at ? new Date(rows[0].at) : new Date()
}

export interface Difference {
  key: string
  paymentId: number | null
  transactionId: string | null
  currency: string
  /** The change of the balance according to the ledger. */
  expectedCents: number
  /** The change of the balance according to the provider. */
  actualCents: number
  text: string
}

interface Scope {
  /** Compares only payments with a movement or an entry since then, and those that differed before. */
  since: Date | null
  /** Leaves out payments with events since then, which may not be booked yet. */
  quietSince: Date | null
}

/** The payments compared and their differences, page by page. */
interface Comparison {
  paymentIds: number[]
  differences: Difference[]
}

export async function* comparePayments(db: Db, scope: Scope): AsyncGenerator<Comparison> {
  for (let after = 0; ; ) {
    const { rows } = await db.execute<{ id: number }>(sql`
      select id from (${candidates(scope.since, after)}) candidate
      where ${isQuiet(scope.quietSince)} order by id limit ${PAGE}`)
    const paymentIds = rows.map(({ id }) => id)
    const last = paymentIds.at(-1)
    if (!last) return
    yield { paymentIds, differences: await findDifferences(db, paymentIds) }
    after = last
  }
}

function candidates(since: Date | null, after: number): SQL {
  if (!since) return sql`select id from payments where id > ${after}`
  const from = sql`${since.toISOString()}::timestamptz`
  return sql`
    select payment_id as id from provider_transactions where created_at >= ${from} and payment_id > ${after}
    union
    select payment_id from ledger_entries where account = 'provider' and created_at >= ${from} and payment_id > ${after}
    union
    select payment_id from reconciliation_differences where payment_id > ${after}`
}

function isQuiet(since: Date | null): SQL {
  if (!since) return sql`true`
  const from = sql`${since.toISOString()}::timestamptz`
  return sql`
    not exists (select from provider_transactions where payment_id = candidate.id and created_at >= ${from})
    and not exists (
      select from ledger_entries where payment_id = candidate.id and account = 'provider' and created_at >= ${from})`
}

/** The kind of movement that each posting causes at the provider. */
const KIND_OF_POSTING = sql`case
  when key like 'fx-%' then substr(split_part(key, ':', 1), length('fx-') + 1)
  when key like 'hold:%' then 'charge'
  when key like 'refund:%' or key like 'refund-failed:%' or key like 'dashboard-refund:%' then 'refund'
  when key like 'chargeback:%' then 'dispute'
  when key like 'payout:%' or key like 'payout-undone:%' then 'transfer'
  when key like 'reversal:%' or key like 'chargeback-reversal:%' or key like 'refund-reversal:%' then 'transfer'
  when key like 'provider-fee:%' then 'fee'
  else 'other' end`

/**
 * Payments that an admin made by bank: refunds, goodwill, payouts, and payouts that were undone. A payout
 * step and its posting are written in one transaction.
 */
const IS_MANUAL = sql`key like 'refund-paid:%' or key like 'goodwill-paid:%' or key like 'payout%' and exists (
  select from payouts join payout_steps on payout_steps.payout_id = payouts.id
  where payouts.payment_id = ledger_entries.payment_id and payout_steps.created_at = ledger_entries.created_at
    and payout_steps.action in ('marked_paid', 'undone'))`

/** The provider counts the money of a debit from its start, and takes it back if the bank does not send it. */
const IS_ON_ITS_WAY = sql`payment.status = 'pending' and payment.submitted_at is not null`

type Kind = Movement['kind'] | 'fee'

const NAMES: Record<Kind, string> = {
  charge: 'charges',
  refund: 'refunds',
  dispute: 'disputes',
  transfer: 'transfers',
  fee: 'fees',
  own: 'own movements',
  other: 'other movements',
}

async function findDifferences(db: Db, paymentIds: number[]): Promise<Difference[]> {
  const { rows } = await db.execute<{
    paymentId: number
    currency: string
    kind: Kind
    expectedCents: string
    actualCents: string
    transactionId: string | null
  }>(sql`
    select payment.id as "paymentId", moved.*
    from payments payment, lateral (
      select kind, currency, sum(booked) as "expectedCents", sum(changed) as "actualCents", max(id) as "transactionId"
      from (
        select ${KIND_OF_POSTING} as kind, currency, -amount_cents as booked, 0 as changed, null as id
        from ledger_entries where payment_id = payment.id and account = 'provider' and not (${IS_MANUAL})
        union all
        select kind, currency, 0, amount_cents, id from provider_transactions where payment_id = payment.id
        union all
        select 'fee', currency, 0, -fee_cents, id from provider_transactions where payment_id = payment.id
      ) side
      group by kind, currency having sum(booked) <> sum(changed)
    ) moved
    where payment.id = any(${sql.param(paymentIds)}) and payment.stripe_payment_intent_id is not null
      and not (${IS_ON_ITS_WAY})
    order by payment.id, moved.kind, moved.currency`)
  return rows.map(({ paymentId, kind, currency, transactionId, ...sums }) => {
    const [expectedCents, actualCents] = [Number(sums.expectedCents), Number(sums.actualCents)]
    const [expected, actual] = [asText(expectedCents, currency), asText(actualCents, currency)]
    return {
      key: `payment:${paymentId}:${kind}:${currency}`,
      paymentId,
      transactionId,
      currency,
      expectedCents,
      actualCents,
      text: `Payment ${paymentId}: the provider has ${actual} in ${NAMES[kind]}, the ledger has ${expected}`,
    }
  })
}

/** What all payments changed in our balance in each currency, according to the ledger and to the provider. */
export async function sumByCurrency(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ currency: string; booked: string; changed: string }>(sql`
    select side.currency, sum(booked) as booked, sum(changed) as changed
    from (
      select payment_id, currency, -amount_cents as booked, 0 as changed
      from ledger_entries where account = 'provider' and not (${IS_MANUAL})
      union all
      select payment_id, currency, 0, amount_cents - fee_cents from provider_transactions
    ) side
    join payments payment on payment.id = side.payment_id
    where payment.stripe_payment_intent_id is not null and not (${IS_ON_ITS_WAY})
    group by side.currency order by side.currency`)
  return rows.map(({ currency, booked, changed }) => {
    const [ledger, provider] = [asText(Number(booked), currency), asText(Number(changed), currency)]
    return `The ledger has ${ledger} at the provider, which has ${provider}`
  })
}

const asText = (amount: number, currency: string) =>
  `${formatForInput(amount, currency)} ${currency.toUpperCase()}`

/** Movements of money without a payment of ours, page by page. */
export async function* findUnassigned(db: Db, quietSince: Date | null): AsyncGenerator<Difference[]> {
  for (let after = ''; ; ) {
    const { rows } = await db.execute<{ id: string; type: string; cents: string; currency: string }>(sql`
      select id, type, amount_cents - fee_cents as cents, currency from provider_transactions
      where payment_id is null and kind <> 'own' and id > ${after}
        and (${quietSince?.toISOString() ?? null}::timestamptz is null or created_at < ${quietSince?.toISOString() ?? null})
      order by id limit ${PAGE}`)
    const last = rows.at(-1)
    if (!last) return
    yield rows.map(({ id, type, cents, currency }) => ({
      key: `transaction:${id}`,
      paymentId: null,
      transactionId: id,
      currency,
      expectedCents: 0,
      actualCents: Number(cents),
      text: `Transaction ${id}: ${type} of ${asText(Number(cents), currency)} belongs to no payment`,
    }))
    after = last.id
  }
}
