import type { Tx } from './database.ts'

/** Advisory lock, so that only one process creates or upgrades the tables. */
const MIGRATION_LOCK = 7_364_012_991_003n

/** Migrations, applied in order. Never edit one that was released. */
const MIGRATIONS = [
  `
  create table sandbox.objects (
    id text primary key,
    seq bigint generated always as identity,
    kind text not null,
    -- The connected account that it belongs to. Null for the platform's own.
    account text,
    created_at timestamptz not null,
    -- When something that is still under way comes to its end.
    settle_at timestamptz,
    body json not null,
    hidden json not null
  );
  create unique index objects_by_kind on sandbox.objects (kind, seq);
  create index objects_to_settle on sandbox.objects (settle_at) where settle_at is not null;
  create index objects_by_account on sandbox.objects (account) where kind = 'balance_transaction';
  create index objects_by_payment on sandbox.objects ((body ->> 'payment_intent'), seq)
    where kind in ('charge', 'refund', 'dispute');
  create index objects_by_charge on sandbox.objects ((body ->> 'charge'), seq)
    where kind in ('refund', 'dispute');
  create index transfers_by_group on sandbox.objects ((body ->> 'transfer_group'), seq)
    where kind = 'transfer';
  create index transfers_by_destination on sandbox.objects ((body ->> 'destination'), seq)
    where kind = 'transfer';
  create index reversals_by_transfer on sandbox.objects ((body ->> 'transfer'), seq)
    where kind = 'transfer_reversal';

  create table sandbox.idempotency_keys (
    key text primary key,
    fingerprint text not null,
    status int not null,
    body text not null,
    created_at timestamptz not null
  );
  create index idempotency_keys_by_age on sandbox.idempotency_keys (created_at);

  create table sandbox.deliveries (
    id bigint generated always as identity primary key,
    event_id text not null references sandbox.objects (id),
    state text not null check (state in ('pending', 'held', 'dropped', 'delivered', 'failed')),
    due_at timestamptz not null,
    tries int not null default 0,
    answer_status int,
    answer_text text,
    tried_at timestamptz
  );
  create index deliveries_due on sandbox.deliveries (due_at, id) where state = 'pending';
  create index deliveries_held on sandbox.deliveries (id) where state = 'held';
  create index deliveries_by_event on sandbox.deliveries (event_id);

  create table sandbox.delivery_settings (
    only_row boolean primary key default true check (only_row),
    mode text not null default 'send' check (mode in ('send', 'hold', 'drop')),
    delay_seconds int not null default 0,
    copies int not null default 1,
    newest_first boolean not null default false
  );
  insert into sandbox.delivery_settings default values;

  create table sandbox.onboarding_links (
    token text primary key,
    account text not null references sandbox.objects (id),
    return_url text not null,
    refresh_url text not null,
    expires_at timestamptz not null,
    -- Given to the page when the link is opened, which happens once; its buttons show it.
    visit text unique,
    finished boolean not null default false
  );
  `,
  `
  create index transactions_by_source on sandbox.objects ((body ->> 'source'), seq)
    where kind = 'balance_transaction';
  create index transfers_by_source on sandbox.objects ((body ->> 'source_transaction'), seq)
    where kind = 'transfer';
  create index fraud_warnings_by_charge on sandbox.objects ((body ->> 'charge'), seq)
    where kind = 'early_fraud_warning';

  -- The amounts of balance transactions, to add them up quickly.
  create table sandbox.movements (
    transaction_id text primary key references sandbox.objects (id),
    account text,
    currency text not null,
    net bigint not null,
    available_on bigint not null,
    -- The charge whose money moved.
    charge text,
    -- The automatic payout that paid it out.
    payout text
  );
  create index movements_by_account on sandbox.movements (account, currency, available_on) include (net);
  create index movements_by_charge on sandbox.movements (charge) where charge is not null;
  create index movements_by_payout on sandbox.movements (payout) where payout is not null;
  insert into sandbox.movements (transaction_id, account, currency, net, available_on)
    select id, account, body ->> 'currency', (body ->> 'net')::bigint, (body ->> 'available_on')::bigint
    from sandbox.objects where kind = 'balance_transaction';

  create table sandbox.file_contents (
    file_id text primary key references sandbox.objects (id),
    content bytea not null
  );

  -- The webhook endpoint that it is sent to.
  alter table sandbox.deliveries add column endpoint_id text references sandbox.objects (id);
  `,
  `
  -- Rates that a test has moved. One unit of the source is worth that many units of the target.
  create table sandbox.exchange_rates (
    source text not null,
    target text not null,
    rate numeric not null check (rate > 0),
    primary key (source, target)
  );
  `,
  `
  -- The part of the platform's balance: money of FPX payments is kept apart.
  alter table sandbox.movements add column source_type text not null default 'card';
  `,
]

export async function prepareTables(tx: Tx): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
  await tx.query('create schema if not exists sandbox')
  await tx.query('create table if not exists sandbox.steps (step int primary key)')
  const [{ done } = { done: 0 }] = await tx.query<{ done: number }>(
    'select count(*)::int as done from sandbox.steps',
  )
  for (const [step, sql] of MIGRATIONS.entries()) {
    if (step < done) continue
    await tx.query(sql)
    await tx.query('insert into sandbox.steps values ($1)', [step])
  }
}
