-- Payments that a sweep or a job could not handle, and when to try again.
create table set_aside_payments (
  payment_id integer not null,
  task text not null,
  reason text not null,
  attempts integer not null default 1,
  since timestamptz(3) not null default now(),
  failed_at timestamptz(3) not null default now(),
  try_at timestamptz(3) not null default now(),
  primary key (payment_id, task),
  constraint set_aside_payments_payment_id_payments_id_fk foreign key (payment_id) references payments (id),
  constraint set_aside_payments_task check (task in ('release', 'cancel', 'payout', 'refund', 'charge', 'reminder'))
);

-- Until when the provider's events were read, and where reading goes on within an unfinished stretch of time.
alter table installation add column events_read_until timestamptz(3);
alter table installation add column events_reading_until timestamptz(3);
alter table installation add column events_read_after text;

alter table webhook_events add column try_at timestamptz(3) not null default now();
alter table webhook_events drop constraint webhook_events_status;
alter table webhook_events add constraint webhook_events_status
  check (status in ('parked', 'handled', 'dismissed')) not valid;

-- A card can be charged more than was agreed, and all of it is refunded.
alter table payments add column refund_pending boolean not null default false;
alter table payments add column mischarged_cents integer;
alter table payments add column mischarged_currency text;
alter table payments drop constraint payments_refund;
alter table payments add constraint payments_refund
  check (refund_cents between 0 and greatest(amount, mischarged_cents)) not valid;
alter table payments add constraint payments_mischarged
  check ((mischarged_cents is null) = (mischarged_currency is null) and mischarged_cents > 0) not valid;
