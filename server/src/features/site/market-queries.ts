import { sql } from 'drizzle-orm'
import type { Db } from '../../database/database.ts'

/** Amounts in the smallest unit of a currency. */
export interface MarketAmounts {
  currency: string
  held: number
  disputed: number
  due: number
  overdue: number
  owedSellers: number
  owedBuyers: number
}

/** Ages in seconds. 0 where there is nothing. */
export interface MarketFigures {
  /** One for each currency, at least for the market's first. */
  amounts: MarketAmounts[]
  heldPayments: number
  disputedPayments: number
  suspiciousPayments: number
  overduePayments: number
  overdueOldestSeconds: number
  owedSellersPayments: number
  owedBuyersPayments: number
  payoutsStuck: number
  manualPayouts: number
  manualPayoutsOldestSeconds: number
  refundsStuck: number
  unconfirmedOldestSeconds: number
  parkedEvents: number
  parkedEventsOldestSeconds: number
  setAsidePayments: number
  setAsideOldestSeconds: number
  filesHeldOldestSeconds: number
  backupAgeSeconds: number
  /** Seconds since 1970. */
  eventsReadUntil: number
  openChargebacks: number
  /** Seconds since 1970. */
  nextEvidenceDeadline: number
  /** What sellers owe us. */
  debts: { currency: string; cents: number }[]
  jobs: { task: string; waiting: number; running: number; failed: number; oldestSeconds: number }[]
}

/** Every part reads a partial index, so the cost depends on the open items and not on the whole history. */
export async function readMarketFigures(db: Db, now: Date): Promise<MarketFigures> {
  const at = sql`${now.toISOString()}::timestamptz`
  const ageOf = (moment: string) =>
    sql`coalesce(extract(epoch from ${at} - min(${sql.raw(moment)})), 0)::float`
  const { rows } = await db.execute<{ figures: MarketFigures }>(sql`
    with held as materialized (
      select amount - returned_cents as amount, currency, escrow_hold_until, needs_check,
        not needs_check and (delivery <> 'shipping' or shipped_at is not null) as is_released_by_clock
      from payments where status = 'held_in_escrow'
    ),
    escrow as (
      select count(*) as "heldPayments", count(*) filter (where needs_check) as "suspiciousPayments" from held
    ),
    overdue as (
      select count(*) as "overduePayments",
        ${ageOf('escrow_hold_until')} as "overdueOldestSeconds"
      from held where is_released_by_clock and escrow_hold_until < ${at}
    ),
    disputed as (
      select count(*) as "disputedPayments"
      from payments where desk_status in ('disputed', 'under_review') and status in ('disputed', 'under_review')
    ),
    owed_sellers as (
      select count(*) as "owedSellersPayments",
        count(*) filter (
          where payouts.status <> 'frozen' and method is distinct from 'manual'
            and payouts.created_at < ${at} - interval '1 day'
            and stripe_connect_account_id is not null and coalesce(greatest(payouts_wait_until, payouts_delayed_until) <= ${at}, true)
        ) as "payoutsStuck",
        count(*) filter (where payouts.status <> 'frozen' and method = 'manual') as "manualPayouts",
        coalesce(extract(epoch from ${at} - min(payouts.created_at) filter (
          where payouts.status <> 'frozen' and method = 'manual'
        )), 0)::float as "manualPayoutsOldestSeconds"
      from payouts join users on users.id = seller_id
      where payouts.status <> 'paid' and (payouts.status <> 'frozen' or paid_at is null)
    ),
    owed_buyers as (
      select count(*) as "owedBuyersPayments",
        count(*) filter (where refund_failed_at is not null or refund_attempt > coalesce(refund_first_attempt, 0)) as "refundsStuck"
      from payments where refund_cents > 0 and refunded_at is null
    ),
    amounts as (
      select currency, sum(held) as held, sum(disputed) as disputed, sum(due) as due, sum(overdue) as overdue,
        sum(owed_sellers) as "owedSellers", sum(owed_buyers) as "owedBuyers"
      from (
        select currency, amount as held, 0 as disputed,
          case when is_released_by_clock and escrow_hold_until between ${at} and ${at} + interval '1 day'
            then amount else 0 end as due,
          case when is_released_by_clock and escrow_hold_until < ${at} then amount else 0 end as overdue,
          0 as owed_sellers, 0 as owed_buyers
        from held
        union all
        select currency, 0, amount - returned_cents, 0, 0, 0, 0
        from payments where desk_status in ('disputed', 'under_review') and status in ('disputed', 'under_review')
        union all
        select currency, 0, 0, 0, 0, coalesce(nullif(reversed_cents, 0), amount), 0
        from payouts where status <> 'paid' and (status <> 'frozen' or paid_at is null)
        union all
        select currency, 0, 0, 0, 0, 0, refund_cents from payments where refund_cents > 0 and refunded_at is null
        union all
        select market_currency(), 0, 0, 0, 0, 0, 0
      ) each
      group by currency
    ),
    unconfirmed as (
      select ${ageOf('submitted_at')} as "unconfirmedOldestSeconds"
      from payments where status = 'pending' and submitted_at is not null and waiting_until is null
    ),
    parked as (
      select count(*) as "parkedEvents", ${ageOf('received_at')} as "parkedEventsOldestSeconds"
      from webhook_events where status = 'parked'
    ),
    set_aside as (
      select count(*) as "setAsidePayments", ${ageOf('since')} as "setAsideOldestSeconds" from set_aside_payments
    ),
    held_files as (
      select ${ageOf('held_at')} as "filesHeldOldestSeconds"
      from files where held_at is not null and infection is null
    ),
    last_backup as (
      select extract(epoch from ${at} - coalesce((select max(finished_at) from backups), created_at))::float
        as "backupAgeSeconds"
      from installation
    ),
    cursor as (
      select coalesce(extract(epoch from events_read_until), 0)::float as "eventsReadUntil" from installation
    ),
    bank as (
      select count(*) as "openChargebacks",
        coalesce(extract(epoch from min(deadline) filter (where evidence_sent_at is null)), 0)::float
          as "nextEvidenceDeadline"
      from chargebacks where closed_at is null
    ),
    owed_by_sellers as (
      select currency, sum(amount_cents - settled_cents)::float as cents
      from debts where settled_at is null and given_up_cents = 0 and amount_cents is not null group by currency
    ),
    tasks as (
      select task_identifier as task,
        count(*) filter (where locked_at is null and attempts < max_attempts and run_at <= now()) as waiting,
        count(*) filter (where locked_at is not null) as running,
        count(*) filter (where locked_at is null and attempts >= max_attempts) as failed,
        coalesce(extract(epoch from now() - min(run_at) filter (
          where locked_at is null and attempts < max_attempts and run_at <= now()
        )), 0)::float as "oldestSeconds"
      from graphile_worker.jobs group by task_identifier
    )
    select to_jsonb(found) || jsonb_build_object(
        'jobs', (select coalesce(jsonb_agg(tasks), '[]') from tasks),
        'debts', (select coalesce(jsonb_agg(owed_by_sellers), '[]') from owed_by_sellers),
        'amounts', (select jsonb_agg(amounts) from amounts)
      ) as figures
    from (
      select * from escrow, overdue, disputed, owed_sellers, owed_buyers, unconfirmed, parked, set_aside, held_files,
        last_backup, cursor, bank
    ) found`)
  if (!rows[0]) throw new Error('the query returned no row')
  return rows[0].figures
}
