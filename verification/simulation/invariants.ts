import { KEPT_DAYS } from '@sought/server/database/retention'
import { sweeps } from '@sought/server/jobs/sweeps'
import type pg from 'pg'
import { findIllegalTransitions } from './status-log.ts'

/*
 * Conditions that must hold once everything has settled, read directly from our tables and the sandbox's. Each rule
 * is a query that finds violations. $1 is the current time if the rule needs it.
 */

interface Rule {
  rule: string
  violations: string
  /** The query needs the current time. */
  needsNow?: true
}

/** The provider's objects of a payment, found by the metadata that we set. */
const intents = `(
  select id, body, (body -> 'metadata' ->> 'paymentId')::int as payment_id from sandbox.objects
  where kind = 'payment_intent' and body -> 'metadata' ->> 'paymentId' is not null
)`
const charges = `(
  select c.id, c.body, c.hidden, i.payment_id from sandbox.objects c
  join ${intents} i on i.id = c.body ->> 'payment_intent'
  where c.kind = 'charge' and c.body ->> 'status' = 'succeeded'
)`
/** With the rate at which the provider converted their charge into their currency. */
const transfers = `(
  select t.id, t.body, (t.body -> 'metadata' ->> 'payoutId')::int as payout_id,
    (t.body -> 'metadata' ->> 'paymentId')::int as payment_id,
    (b.body ->> 'amount')::numeric / (c.body ->> 'amount')::numeric as rate
  from sandbox.objects t
  left join ${charges} c on c.body ->> 'payment_intent' = t.body -> 'metadata' ->> 'intentId'
  left join sandbox.objects b on b.id = c.body ->> 'balance_transaction'
  where t.kind = 'transfer'
)`
const refunds = `(
  select r.id, r.body, i.payment_id from sandbox.objects r
  join ${intents} i on i.id = r.body ->> 'payment_intent'
  where r.kind = 'refund' and r.body ->> 'status' not in ('failed', 'canceled')
)`
const chargebacks = `(
  select d.id, d.body, i.payment_id from sandbox.objects d
  join ${intents} i on i.id = d.body ->> 'payment_intent'
  where d.kind = 'dispute'
)`

const openChargebacks = `(
  select * from ${chargebacks} d where d.body ->> 'status' in ('needs_response', 'warning_needs_response')
)`

/** The statuses of payments whose seller got all or part of the money. */
const RELEASED = `'completed', 'resolved_seller', 'resolved_partial'`

const rules: Rule[] = [
  {
    rule: 'the figures of the market equal full counts',
    violations: `select figure || ' of ' || day || ' is off by ' || sum(value) from (
        select figure, day, value from figure_facts
        union all select figure, start, -value from market_figures where slice = 'all' and grain = 'day'
        union all select figure, day, -change from figure_changes where day is not null
      ) counted group by figure, day having sum(value) <> 0`,
  },
  {
    rule: 'a pending payment has no paid intent',
    violations: `select 'payment ' || p.id || ' with intent ' || i.id || ' ' || (i.body ->> 'status')
      from payments p join ${intents} i on i.payment_id = p.id
      where p.status = 'pending' and i.body ->> 'status' in ('succeeded', 'processing')`,
  },
  {
    rule: 'a payment that is no longer pending was paid',
    violations: `select 'payment ' || p.id || ' is ' || p.status from payments p
      where p.status <> 'pending'
        and not exists (select from ${charges} c where c.payment_id = p.id and c.body ->> 'payment_intent' = p.stripe_payment_intent_id)`,
  },
  {
    rule: 'a payment has one charge, of its amount',
    violations: `select 'payment ' || c.payment_id || ' has ' || count(*) || ' charges of ' || sum((c.body ->> 'amount')::int)
      from ${charges} c join payments p on p.id = c.payment_id
      group by c.payment_id, p.amount having count(*) > 1 or sum((c.body ->> 'amount')::int) <> p.amount`,
  },
  {
    rule: 'a payment is not held after its hold expired',
    needsNow: true,
    violations: `select 'payment ' || id || ' was due at ' || escrow_hold_until from payments
      where status = 'held_in_escrow' and escrow_hold_until <= $1
        and (delivery <> 'shipping' or shipped_at is not null)`,
  },
  {
    rule: 'a deal is cancelled a week after its ship-by date',
    needsNow: true,
    violations: `select 'payment ' || id || ' had to be shipped by ' || ship_by from payments
      where status = 'held_in_escrow' and shipped_at is null and ship_by <= $1::timestamptz - interval '7 days'`,
  },
  {
    rule: 'an unshipped item is never released automatically',
    violations: `select 'payment ' || id from payments
      where status = 'completed' and delivery = 'shipping' and shipped_at is null and buyer_confirmed_at is null`,
  },
  {
    rule: 'a cancelled deal was not shipped, and the buyer is owed what was in escrow',
    violations: `select 'payment ' || p.id from payments p
      where p.cancelled_by is not null and (p.shipped_at is not null or not exists (
        select from ledger_entries where key = 'cancel:' || p.id and account = 'buyer:' || p.buyer_id))`,
  },
  {
    rule: 'no payout is still being sent',
    violations: `select 'payout ' || id from payouts where status = 'sending'`,
  },
  {
    // A reversed amount can only be sent again if the platform has other money.
    rule: 'every possible payout was made',
    needsNow: true,
    violations: `select 'payout ' || o.id || ' of ' || o.amount || ' is owed (' || coalesce(o.method, 'no way') || ')'
      from payouts o
      join users u on u.id = o.seller_id
      left join sandbox.objects a on a.id = u.stripe_connect_account_id
      where o.status = 'owed' and o.reversed_cents = 0 and case
        when o.method = 'manual' then u.bank_account_details is null
        else u.bank_account_details is not null or a.body -> 'capabilities' ->> 'transfers' = 'active' end
      and not exists (
        select from ${charges} c where c.payment_id = o.payment_id
          and ((c.hidden ->> 'withdrawn')::int > 0 or (c.body ->> 'amount_refunded')::int > 0))
      and coalesce(u.payouts_wait_until <= $1, true)`,
  },
  {
    rule: 'paid payouts and transfers that were not reversed correspond one to one',
    violations: `select 'payout ' || coalesce(o.id, t.payout_id) || ' (' || coalesce(o.status, 'none') || ') and transfer '
        || coalesce(t.id, 'none') || ' of ' || coalesce(t.body ->> 'amount', 'nothing')
      from (select * from payouts where method = 'transfer' and status = 'paid') o
      full join ${transfers} t on t.payout_id = o.id
      where not exists (
          select from ${transfers} r where r.payout_id = coalesce(o.id, t.payout_id) and (r.body ->> 'amount_reversed')::int > 0)
        and not exists (
          select from payouts f join payments p on p.id = f.payment_id
          where f.id = t.payout_id and f.status = 'frozen' and p.bank_decides)
        and (o.id is null or t.id is null or t.id <> o.provider_id or t.body ->> 'destination' <> o.destination
          or (t.body ->> 'amount')::int <> floor(o.amount * t.rate))`,
  },
  {
    rule: 'a seller has at most what they were credited with',
    violations: `select 'payment ' || t.payment_id || ' has transfers of ' || t.cents || ' and credits ' || coalesce(e.cents, 0)
      from (
        select payment_id, sum((body ->> 'amount')::int - (body ->> 'amount_reversed')::int) as cents, max(rate) as rate
        from ${transfers} t group by payment_id
      ) t
      left join (
        select payment_id, sum(amount_cents) as cents from ledger_entries
        where account like 'seller:%' and (key like 'release:%' or key like 'ruling:%') group by payment_id
      ) e on e.payment_id = t.payment_id
      where t.cents > coalesce(e.cents, 0) * t.rate`,
  },
  {
    rule: 'every possible refund was made',
    violations: `select 'payment ' || p.id || ' (' || p.status || ') is to give back ' || p.refund_cents
      from payments p join ${charges} c on c.payment_id = p.id
      where p.refund_cents > 0 and p.refunded_at is null and p.refund_failed_at is null and not p.bank_decides
        and (c.body ->> 'amount')::int - (c.body ->> 'amount_refunded')::int - (c.hidden ->> 'withdrawn')::int
          >= p.refund_cents`,
  },
  {
    rule: 'sellers pay or owe what the buyer got back from money that they kept',
    violations: `select 'payment ' || payment_id || ' lost ' || lost || ', of which the seller kept ' || kept
      from (
        select e.payment_id,
          -sum(amount_cents) filter (where account like 'losses:%' and account <> 'losses:debts' and not exists (
            select from provider_facts f where f.key = 'refund_made:' || split_part(e.key, ':', 2))) as lost,
          coalesce(sum(amount_cents) filter (where account like 'debt:%' and key not like 'debt-given-up:%'), 0)
            - coalesce(sum(amount_cents) filter (
              where account like 'seller:%' and key ~ '^(payout|payout-undone|reversal):'), 0)
            - coalesce(sum(amount_cents) filter (
              where account like 'losses:%' and key ~ '^(chargeback|refund)-reversal:'), 0) as kept
        from ledger_entries e join payments p on p.id = e.payment_id where not p.bank_decides group by e.payment_id
      ) loss where lost > 0 and kept > 0`,
  },
  {
    rule: 'a payment that waits for its money was submitted and is not paid',
    violations: `select 'payment ' || id || ' is ' || status || ' and waits until ' || waiting_until from payments
      where waiting_until is not null and (status <> 'pending' or submitted_at is null or method is null)`,
  },
  {
    rule: 'an attempt to refund is made once',
    violations: `select 'payment ' || payment_id || ' has ' || count(*) || ' refunds of one attempt'
      from ${refunds} r where r.body -> 'metadata' ->> 'attempt' is not null
      group by payment_id, r.body -> 'metadata' ->> 'attempt' having count(*) > 1`,
  },
  {
    rule: 'the bank decides while a chargeback is open, and only then',
    violations: `select 'payment ' || p.id || ' is ' || p.status || case when p.bank_decides then ' and' else ' and not' end
        || ' decided by the bank, with ' || count(d.id) || ' open chargebacks'
      from payments p left join ${openChargebacks} d on d.payment_id = p.id
      where p.status <> 'pending' group by p.id
      having p.bank_decides <> (count(d.id) > 0) or p.bank_decides and p.status = 'held_in_escrow'`,
  },
  {
    rule: 'the timeline has one entry for each report about a chargeback',
    violations: `select 'payment ' || coalesce(t.id, f.id) || ' has ' || coalesce(t.times, 0) || ' lines for '
        || coalesce(f.times, 0) || ' reports'
      from (
        select dispute_id as id, count(*) as times from dispute_timeline where action = 'chargeback' group by 1
      ) t
      full join (
        select payment_id as id, count(*) as times from provider_facts where key ~ '^(dispute|inquiry)_' group by 1
      ) f on f.id = t.id
      where t.times is distinct from f.times`,
  },
  {
    rule: 'the seller is credited what was in escrow minus 3 % and 2.9 % + 30, each rounded half up',
    violations: `select 'payment ' || p.id || ' of ' || h.cents || ' credits ' || coalesce(e.amount_cents, 0)
      from payments p
      join lateral (
        select -amount_cents as cents from ledger_entries where key = 'release:' || p.id and account = 'escrow:' || p.id
      ) h on true
      left join ledger_entries e on e.key = 'release:' || p.id and e.account = 'seller:' || p.seller_id
      where coalesce(e.amount_cents, 0) <>
        greatest(0, h.cents - (h.cents * 300 + 5000) / 10000 - (h.cents * 290 + 5000) / 10000 - 30)`,
  },
  {
    rule: 'every delivered event is stored until it expires',
    needsNow: true,
    violations: `select 'event ' || d.event_id
      from sandbox.deliveries d join sandbox.objects o on o.id = d.event_id
      where d.state = 'delivered' and not exists (select from webhook_events e where e.id = d.event_id)
        and to_timestamp((o.body ->> 'created')::bigint) > $1::timestamptz - interval '${KEPT_DAYS.webhookEvent} days'`,
  },
  {
    // A reversal in the dashboard waits while a bank decides about the same money.
    rule: 'no event that belongs to a payment is parked',
    violations: `select 'event ' || e.id || ' ' || e.type from webhook_events e
      where e.status = 'parked' and (
        exists (select from payments p where p.stripe_payment_intent_id = e.object_id)
        or exists (select from ${chargebacks} d join payments p on p.id = d.payment_id
          where d.id = e.object_id and not p.bank_decides))`,
  },
  {
    rule: 'each review counts once',
    violations: `select 'user ' || u.id || ' has ' || u.rating_sum || ' in ' || u.rating_count
      from users u left join (
        select subject_id, sum(rating) as sum, count(*) as times from reviews where is_counted group by subject_id
      ) r on r.subject_id = u.id
      where u.rating_sum <> coalesce(r.sum, 0) or u.rating_count <> coalesce(r.times, 0)`,
  },
  {
    rule: 'the request of a payment that was released is fulfilled',
    violations: `select 'payment ' || p.id || ' leaves request ' || i.id || ' ' || i.status
      from payments p join wanted_items i on i.id = p.wanted_item_id
      where p.status in (${RELEASED}) and i.status <> 'fulfilled'`,
  },
  {
    rule: 'a fulfilled request has a payment that was released',
    violations: `select 'request ' || i.id from wanted_items i where i.status = 'fulfilled'
      and not exists (select from payments p where p.wanted_item_id = i.id and p.status in (${RELEASED}))`,
  },
  {
    rule: 'a request is reserved exactly while one payment for it is in escrow or waits for its money',
    violations: `select 'request ' || i.id || ' is ' || i.status || ' with ' || count(p.id) || ' payments'
      from wanted_items i left join payments p on p.wanted_item_id = i.id
        and (p.status in ('held_in_escrow', 'disputed', 'under_review') or p.waiting_until is not null)
      group by i.id having count(p.id) <> case i.status when 'reserved' then 1 else 0 end`,
  },
  {
    rule: 'a request does not expire early',
    needsNow: true,
    violations: `select 'request ' || id || ' would expire at ' || expires_at from wanted_items
      where status = 'expired' and expires_at > $1`,
  },
  {
    rule: 'a payment that was charged was submitted',
    violations: `select 'payment ' || id || ' is ' || status from payments
      where status <> 'pending' and submitted_at is null`,
  },
  {
    rule: 'the dates of an offer match its status',
    violations: `select 'offer ' || id || ' is ' || status from offers where
      (accepted_at is not null) <> (status = 'accepted') or (rejected_at is not null) <> (status = 'rejected')
      or (withdrawn_at is not null) <> (status = 'withdrawn')`,
  },
  {
    rule: 'a message that was sent twice is stored once',
    violations: `select 'message ' || min(id) from messages where client_id is not null
      group by sender_id, client_id having count(*) > 1`,
  },
  {
    rule: 'the timeline has one entry for each piece of evidence',
    violations: `select 'dispute ' || coalesce(e.dispute_id, t.dispute_id) || ' has ' || coalesce(e.times, 0)
        || ' pieces of evidence and ' || coalesce(t.times, 0) || ' lines about them'
      from (select dispute_id, count(*) as times from dispute_evidence group by dispute_id) e
      full join (select dispute_id, count(*) as times from dispute_timeline
        where action in ('answered', 'evidence') group by dispute_id) t on t.dispute_id = e.dispute_id
      where e.times is distinct from t.times`,
  },
  {
    rule: 'a deleted user has no open requests or offers and no personal data',
    violations: `select 'person ' || u.id || ' has ' || open.what from users u join (
        select user_id, 'request ' || id from wanted_items where status = 'open'
        union all select buyer_id, 'offer ' || id || ' as the buyer' from offers o where status = 'pending'
          or status = 'accepted' and not exists (
            select from payments p where p.offer_id = o.id and p.status <> 'pending')
        union all select seller_id, 'offer ' || id || ' as the seller' from offers o where status = 'pending'
          or status = 'accepted' and not exists (
            select from payments p where p.offer_id = o.id and p.status <> 'pending')
        union all select sess ->> 'userId', 'a session' from sessions
        union all select user_id, 'a notification' from notifications
        union all select user_id, 'a mail' from mails
        union all select user_id, 'a link' from account_tokens
        union all select user_id, 'a phone code' from phone_codes
        union all select id, 'personal data' from users where deleted_at is not null and coalesce(
          email, pending_email, password, bio, stripe_connect_account_id, bank_account_details) is not null
      ) open (user_id, what) on open.user_id = u.id
      where u.deleted_at is not null`,
  },
  {
    rule: 'a deleted user can neither pay nor be paid',
    violations: `select 'payment ' || p.id || ' (' || p.status || ') with intent ' || (i.body ->> 'status')
      from payments p join ${intents} i on i.id = p.stripe_payment_intent_id
      join users u on u.id in (p.buyer_id, p.seller_id) and u.deleted_at is not null
      where p.status = 'pending' and i.body ->> 'status' <> 'canceled'
        or p.status in ('held_in_escrow', 'disputed', 'under_review')`,
  },
  {
    // Failed jobs are deleted later, because sweeps have taken over their work. Some jobs are scheduled for later.
    rule: 'no due job is left',
    violations: `select 'job ' || task_identifier || ' (' || attempts || ' tries): ' || coalesce(last_error, 'never failed')
      from graphile_worker.jobs where attempts < max_attempts and (attempts > 0 or run_at <= now()) and task_identifier <> all ('{${[...Object.keys(sweeps), 'tidy-up', 'remove-orphaned-files'].join(',')}}')`,
  },
]

/** One line for each violation. */
export async function findInvariantViolations(sql: pg.Pool, now: Date): Promise<string[]> {
  const found: string[] = await findIllegalTransitions(sql)
  for (const { rule, violations, needsNow } of rules) {
    const { rows } = await sql.query<{ what: string }>(
      `select what from (${violations}) as found (what) limit 20`,
      needsNow ? [now] : [],
    )
    found.push(...rows.map(({ what }) => `${what}: ${rule}`))
  }
  return found
}
