-- Fees and payments from before have no minimum fee and no tiers. A payment keeps the rate for its amount.
alter table fee_rates add column minimum_fee_cents integer not null default 0;
alter table fee_rates add column fee_tiers jsonb not null default '[]';
alter table fee_rates add constraint fee_rates_minimum_and_tiers
  check (minimum_fee_cents >= 0 and jsonb_typeof(fee_tiers) = 'array') not valid;
alter table payments add column minimum_fee_cents integer not null default 0;
alter table payments add constraint payments_minimum_fee check (minimum_fee_cents >= 0) not valid;
