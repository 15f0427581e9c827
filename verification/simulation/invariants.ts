import { sweeps } from '@sought/server/jobs/sweeps'
import type pg from 'pg'
import { stepsAstray } from './status-log.ts'

/*
 * What must be true once things have settled, read from our tables and from the provider's own: what the
 * server thinks of it is not asked. Each rule is one statement that finds what breaks it; $1 is the present
 * moment where a rule needs one.
 */

interface Rule {
  says: string
  broken: string
  /** Whether the statement asks for the moment. */
  timed?: true
}

/** The provider's objects of a payment, found by what we wrote on them. */
const intents = `(
  select id, body, (body -> 'metadata' ->> 'paymentId')::int as payment_id from sandbox.objects
  where kind = 'payment_intent' and body -> 'metadata' ->> 'paymentId' is not null
)`
const charges = `(
  select c.id, c.body, c.hidden, i.payment_id from sandbox.objects c
  join ${intents} i on i.id = c.body ->> 'payment_intent'
  where c.kind = 'charge' and c.body ->> 'status' = 'succeeded'
)`
const transfers = `(
  select id, body, (body -> 'metadata' ->> 'payoutId')::int as payout_id,
    (body -> 'metadata' ->> 'paymentId')::int as payment_id
  from sandbox.objects where kind = 'transfer'
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

/** What the bank took back after the money had been given to the seller: nobody can give it to the buyer twice. */
export const lostTooLate = `(
  select distinct p.id from payments p
  join ${chargebacks} d on d.payment_id = p.id and d.body ->> 'status' = 'lost'
  join webhook_events e on e.object_id = d.id
    and coalesce(e.handled_at, e.received_at) >= p.completed_at
  where p.status = 'completed'
)`

const rules: Rule[] = [
  {
    says: 'a payment is pending only if nobody paid it',
    broken: `select 'payment ' || p.id || ' with intent ' || i.id || ' ' || (i.body ->> 'status')
      from payments p join ${intents} i on i.payment_id = p.id
      where p.status = 'pending' and i.body ->> 'status' in ('succeeded', 'processing')`,
  },
  {
    says: 'a payment that is not pending was paid',
    broken: `select 'payment ' || p.id || ' is ' || p.status from payments p
      where p.status <> 'pending'
        and not exists (select from ${charges} c where c.payment_id = p.id and c.body ->> 'payment_intent' = p.stripe_payment_intent_id)`,
  },
  {
    says: 'no card is charged twice for a payment, or another amount',
    broken: `select 'payment ' || c.payment_id || ' has ' || count(*) || ' charges of ' || sum((c.body ->> 'amount')::int)
      from ${charges} c join payments p on p.id = c.payment_id
      group by c.payment_id, p.amount having count(*) > 1 or sum((c.body ->> 'amount')::int) <> p.amount`,
  },
  {
    says: 'a payment is held only while its hold lasts',
    timed: true,
    broken: `select 'payment ' || id || ' was due at ' || escrow_hold_until from payments
      where status = 'held_in_escrow' and escrow_hold_until <= $1`,
  },
  {
    says: 'nothing is left half sent',
    broken: `select 'payout ' || id from payouts where status = 'sending'`,
  },
  {
    says: 'what can be paid out has been',
    broken: `select 'payout ' || o.id || ' of ' || o.amount || ' is owed (' || coalesce(o.method, 'no way') || ')'
      from payouts o
      join users u on u.id = o.seller_id
      left join sandbox.objects a on a.id = u.stripe_connect_account_id
      where o.status = 'owed' and case
        when o.method = 'manual' then u.bank_account_details is null
        else u.bank_account_details is not null or a.body -> 'capabilities' ->> 'transfers' = 'active' end
      and not exists (
        select from ${charges} c where c.payment_id = o.payment_id and (c.hidden ->> 'withdrawn')::int > 0)`,
  },
  {
    says: 'each payout that was made by transfer is one transfer, and each transfer one payout',
    broken: `select 'payout ' || coalesce(o.id, t.payout_id) || ' (' || coalesce(o.status, 'none') || ') and transfer '
        || coalesce(t.id, 'none') || ' of ' || coalesce(t.body ->> 'amount', 'nothing')
      from (select * from payouts where method = 'transfer' and status = 'paid') o
      full join ${transfers} t on t.payout_id = o.id
      where o.id is null or t.id is null or t.id <> o.provider_id or (t.body ->> 'amount')::int <> o.amount
        or t.body ->> 'destination' <> o.destination`,
  },
  {
    says: 'nothing is transferred twice',
    broken: `select 'payment ' || payment_id || ' has ' || count(*) || ' transfers'
      from ${transfers} t group by payment_id having count(*) > 1`,
  },
  {
    says: 'nothing is refunded twice, and what was is what the ruling said',
    broken: `select 'payment ' || p.id || ' (' || p.status || ') is to give back ' || coalesce(p.refund_cents, 0)
        || ', and ' || coalesce(r.cents, 0) || ' were, in ' || coalesce(r.times, 0) || ' refunds'
      from payments p left join (
        select payment_id, sum(cents) as cents, count(*) as times from (
          select payment_id, (body ->> 'amount')::int as cents from ${refunds} r
          union all
          select payment_id, (body ->> 'amount')::int from ${chargebacks} d where d.body ->> 'status' = 'lost'
        ) given group by payment_id
      ) r on r.payment_id = p.id
      where (coalesce(r.cents, 0) <> coalesce(p.refund_cents, 0) or r.times > 1
        or (p.refund_cents > 0) <> (p.refunded_at is not null))
        and p.id not in (select id from ${lostTooLate} late)`,
  },
  {
    says: 'a chargeback stops a payment that was held',
    broken: `select 'payment ' || p.id || ' is ' || p.status || ' after chargeback ' || d.id
      from payments p join ${chargebacks} d on d.payment_id = p.id
      where p.status in ('pending', 'held_in_escrow') or (p.status = 'completed' and not exists (
        select from webhook_events e where e.object_id = d.id
          and coalesce(e.handled_at, e.received_at) >= p.completed_at))`,
  },
  {
    says: 'a chargeback stands in the timeline once for each time the bank spoke',
    broken: `select 'payment ' || t.dispute_id || ' has ' || count(*) || ' lines for ' || e.spoke || ' events'
      from dispute_timeline t
      join lateral (
        select count(*) as spoke from webhook_events e join ${chargebacks} d on d.id = e.object_id
        where d.payment_id = t.dispute_id and e.type in ('charge.dispute.created', 'charge.dispute.closed')
      ) e on true
      where t.action = 'chargeback' group by t.dispute_id, e.spoke having count(*) <> e.spoke`,
  },
  {
    says: 'a seller is credited with the amount less 3 % and 2.9 % + 30, each rounded half up',
    broken: `select 'payment ' || p.id || ' of ' || p.amount || ' credits ' || coalesce(e.amount_cents, 0)
      from payments p
      left join ledger_entries e on e.key = 'release:' || p.id and e.account = 'seller:' || p.seller_id
      where p.status = 'completed' and coalesce(e.amount_cents, 0) <>
        p.amount - (p.amount::bigint * 300 + 5000) / 10000 - (p.amount::bigint * 290 + 5000) / 10000 - 30`,
  },
  {
    says: 'what was delivered has been taken in',
    broken: `select 'event ' || d.event_id from sandbox.deliveries d
      where d.state = 'delivered' and not exists (select from webhook_events e where e.id = d.event_id)`,
  },
  {
    says: 'no event waits that could be placed',
    broken: `select 'event ' || e.id || ' ' || e.type from webhook_events e
      where e.status = 'parked' and (
        exists (select from payments p where p.stripe_payment_intent_id = e.object_id)
        or exists (select from ${chargebacks} d where d.id = e.object_id))`,
  },
  {
    says: 'a rating counts once',
    broken: `select 'seller ' || u.id || ' has ' || u.rating_sum || ' in ' || u.rating_count
      from users u left join (select seller_id, sum(rating) as sum, count(*) as times from ratings group by seller_id) r
        on r.seller_id = u.id
      where u.rating_sum <> coalesce(r.sum, 0) or u.rating_count <> coalesce(r.times, 0)`,
  },
  {
    says: 'the request of a completed payment is fulfilled',
    broken: `select 'payment ' || p.id || ' leaves request ' || i.id || ' ' || i.status
      from payments p join wanted_items i on i.id = p.wanted_item_id
      where p.status = 'completed' and i.status <> 'fulfilled'`,
  },
  {
    says: 'a request is fulfilled by a completed payment and nothing else',
    broken: `select 'request ' || i.id from wanted_items i where i.status = 'fulfilled'
      and not exists (select from payments p where p.wanted_item_id = i.id and p.status = 'completed')`,
  },
  {
    says: 'an offer that was answered says when, and once',
    broken: `select 'offer ' || id || ' is ' || status from offers where
      (accepted_at is not null) <> (status = 'accepted') or (rejected_at is not null) <> (status = 'rejected')
      or (withdrawn_at is not null) <> (status = 'withdrawn')`,
  },
  {
    says: 'a message that was sent under a mark stands there once',
    broken: `select 'message ' || min(id) from messages where client_id is not null
      group by sender_id, client_id having count(*) > 1`,
  },
  {
    says: 'what is said in a dispute stands in its timeline',
    broken: `select 'dispute ' || coalesce(e.dispute_id, t.dispute_id) || ' has ' || coalesce(e.times, 0)
        || ' pieces of evidence and ' || coalesce(t.times, 0) || ' lines about them'
      from (select dispute_id, count(*) as times from dispute_evidence group by dispute_id) e
      full join (select dispute_id, count(*) as times from dispute_timeline
        where action in ('answered', 'evidence') group by dispute_id) t on t.dispute_id = e.dispute_id
      where e.times is distinct from t.times`,
  },
  {
    says: 'who has left has nothing open',
    broken: `select 'person ' || u.id || ' has ' || open.what from users u join (
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
        union all select id, 'something of theirs' from users where deleted_at is not null and coalesce(
          email, pending_email, password, bio, stripe_connect_account_id, bank_account_details) is not null
      ) open (user_id, what) on open.user_id = u.id
      where u.deleted_at is not null`,
  },
  {
    says: 'who has left can be paid by nobody, and pays nobody',
    broken: `select 'payment ' || p.id || ' (' || p.status || ') with intent ' || (i.body ->> 'status')
      from payments p join ${intents} i on i.id = p.stripe_payment_intent_id
      join users u on u.id in (p.buyer_id, p.seller_id) and u.deleted_at is not null
      where p.status = 'pending' and i.body ->> 'status' <> 'canceled'
        or p.status in ('held_in_escrow', 'disputed', 'under_review')`,
  },
  {
    // Dead ones are tidied up by and by: what they were for has been taken up by others. Some are for later.
    says: 'no job is left that is still to be done',
    broken: `select 'job ' || task_identifier || ' (' || attempts || ' tries): ' || coalesce(last_error, 'never failed')
      from graphile_worker.jobs where attempts < max_attempts and (attempts > 0 or run_at <= now()) and task_identifier <> all ('{${[...Object.keys(sweeps), 'tidy-up'].join(',')}}')`,
  },
]

/** Everything that is wrong, each in one line; empty if nothing is. */
export async function violations(sql: pg.Pool, now: Date): Promise<string[]> {
  const found: string[] = await stepsAstray(sql)
  for (const { says, broken, timed } of rules) {
    const { rows } = await sql.query<{ what: string }>(
      `select what from (${broken}) as found (what) limit 20`,
      timed ? [now] : [],
    )
    found.push(...rows.map(({ what }) => `${what}: ${says}`))
  }
  return found
}
