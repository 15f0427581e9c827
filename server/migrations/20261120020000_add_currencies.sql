-- Every amount has a currency, and one market has several (ADR 101).

-- CURRENCY, which the program that migrates sets for the transaction.
create function deployment_currency() returns text language sql stable as $$
  select coalesce(nullif(current_setting('sought.currency', true), ''), 'usd')
$$;

-- The currency of the first start, until the operator chooses others.
alter table installation add column currency text not null default deployment_currency();

-- The first currency of the market, which is the one of a request that names none.
create function market_currency() returns text language sql stable as $$
  select coalesce(
    (select settings #>> '{currencies,0}' from market_settings order by id desc limit 1),
    (select currency from installation)
  )
$$;

-- A multiple of the smallest charge, like in currency-defaults.ts. A test compares them. Null for unknown currencies.
create function times_smallest_charge(factor bigint, currency text) returns bigint language sql immutable as $$
  select least(known.largest, factor * known.smallest) from (values
    ('aed', 200, 99999999), ('afn', 3500, 99999999), ('all', 4200, 99999999), ('amd', 20000, 99999999),
    ('ang', 90, 99999999), ('aoa', 46000, 99999999), ('ars', 75000, 99999999), ('aud', 50, 99999999),
    ('awg', 90, 99999999), ('azn', 85, 99999999), ('bam', 85, 99999999), ('bbd', 100, 99999999),
    ('bdt', 6500, 99999999), ('bgn', 100, 99999999), ('bhd', 190, 99999990), ('bif', 1500, 99999999),
    ('bmd', 50, 99999999), ('bnd', 65, 99999999), ('bob', 350, 99999999), ('brl', 50, 99999999),
    ('bsd', 50, 99999999), ('bwp', 700, 99999999), ('byn', 150, 99999999), ('bzd', 100, 99999999),
    ('cad', 50, 99999999), ('cdf', 120000, 99999999), ('chf', 50, 99999999), ('clp', 500, 99999999),
    ('cny', 360, 99999999), ('cop', 200000, 9999999999), ('crc', 26000, 99999999), ('cve', 5000, 99999999),
    ('czk', 1500, 99999999), ('djf', 90, 99999999), ('dkk', 250, 99999999), ('dop', 3200, 99999999),
    ('dzd', 6500, 99999999), ('egp', 2400, 99999999), ('etb', 8000, 99999999), ('eur', 50, 99999999),
    ('fjd', 115, 99999999), ('fkp', 38, 99999999), ('gbp', 30, 99999999), ('gel', 140, 99999999),
    ('gip', 38, 99999999), ('gmd', 3600, 99999999), ('gnf', 4400, 99999999), ('gtq', 390, 99999999),
    ('gyd', 10500, 99999999), ('hkd', 400, 99999999), ('hnl', 1350, 99999999), ('htg', 6600, 99999999),
    ('huf', 17500, 9999999999), ('idr', 840000, 999999999999), ('ils', 165, 99999999), ('inr', 50, 999999999),
    ('isk', 65, 999999), ('jmd', 8000, 99999999), ('jod', 360, 99999990), ('jpy', 50, 99999999),
    ('kes', 6500, 99999999), ('kgs', 4400, 99999999), ('khr', 205000, 99999999), ('kmf', 210, 99999999),
    ('krw', 750, 99999999), ('kwd', 160, 99999990), ('kyd', 42, 99999999), ('kzt', 26500, 99999999),
    ('lak', 1100000, 99999999), ('lbp', 4500000, 99999999999), ('lkr', 15500, 99999999), ('lrd', 9200, 99999999),
    ('lsl', 870, 99999999), ('mad', 470, 99999999), ('mdl', 860, 99999999), ('mga', 2300, 99999999),
    ('mkd', 2700, 99999999), ('mmk', 105000, 99999999), ('mnt', 180000, 99999999), ('mop', 410, 99999999),
    ('mur', 2300, 99999999), ('mvr', 775, 99999999), ('mwk', 87000, 99999999), ('mxn', 1000, 99999999),
    ('myr', 50, 99999999), ('mzn', 3200, 99999999), ('nad', 870, 99999999), ('ngn', 75000, 99999999),
    ('nio', 1850, 99999999), ('nok', 300, 99999999), ('npr', 7100, 99999999), ('nzd', 50, 99999999),
    ('omr', 200, 99999990), ('pab', 50, 99999999), ('pen', 170, 99999999), ('pgk', 215, 99999999),
    ('php', 3000, 99999999), ('pkr', 14500, 99999999), ('pln', 200, 99999999), ('pyg', 3600, 99999999),
    ('qar', 185, 99999999), ('ron', 200, 99999999), ('rsd', 5100, 99999999), ('rub', 4000, 99999999),
    ('rwf', 750, 99999999), ('sar', 190, 99999999), ('sbd', 415, 99999999), ('scr', 700, 99999999),
    ('sek', 300, 99999999), ('sgd', 50, 99999999), ('shp', 38, 99999999), ('sle', 1200, 99999999),
    ('sos', 29000, 99999999), ('srd', 2000, 99999999), ('std', 1050000, 99999999), ('szl', 870, 99999999),
    ('thb', 1000, 99999999), ('tjs', 470, 99999999), ('tnd', 1480, 99999990), ('top', 120, 99999999),
    ('try', 2200, 99999999), ('ttd', 340, 99999999), ('twd', 1600, 99999999), ('tzs', 125000, 99999999),
    ('uah', 2100, 99999999), ('ugx', 1900, 999999), ('usd', 50, 99999999), ('uyu', 2000, 99999999),
    ('uzs', 600000, 99999999), ('vnd', 13500, 99999999), ('vuv', 62, 99999999), ('wst', 140, 99999999),
    ('xaf', 290, 99999999), ('xcd', 135, 99999999), ('xcg', 90, 99999999), ('xof', 290, 99999999),
    ('xpf', 52, 99999999), ('yer', 12000, 99999999), ('zar', 870, 99999999), ('zmw', 1150, 99999999)
  ) known (code, smallest, largest) where known.code = times_smallest_charge.currency
$$;

-- Rows from before have the currency of the deployment, until the next migration gives them the one of their payment.
-- The value is stored once for all of them. Afterwards, triggers enter the currency where the previous release names none.

alter table wanted_items add column currency text not null default deployment_currency();
alter table wanted_items alter column currency set default market_currency();

-- The next migration changes only the currency of versions, and nothing else does.
create or replace function request_versions_stay() returns trigger language plpgsql as $$
begin
  if current_setting('sought.fills_currencies', true) = 'yes' or
    (old.wanted_item_id, old.version, old.title, old.description, old.category, old.min_budget, old.max_budget,
      old.created_at)
    = (new.wanted_item_id, new.version, new.title, new.description, new.category, new.min_budget, new.max_budget,
      new.created_at)
    and (new.images = '[]' or (same_pictures(old.images, new.images) or old.images @> new.images) and not exists (
      select from offers where wanted_item_id = old.wanted_item_id and request_version = old.version
    ))
  then
    return new;
  end if;
  raise exception 'version % of request % cannot be changed', old.version, old.wanted_item_id
    using errcode = 'check_violation', constraint = 'request_versions_stay';
end
$$;

alter table request_versions add column currency text not null default deployment_currency();
alter table request_versions alter column currency set default null;

alter table offers add column currency text not null default deployment_currency();
alter table offers alter column currency set default null;

alter table payouts add column currency text not null default deployment_currency();
alter table payouts alter column currency set default null;
create trigger payouts_currency before insert on payouts
  for each row when (new.currency is null) execute function ledger_currency_of_payment();

alter table payment_refunds add column currency text not null default deployment_currency();
alter table payment_refunds alter column currency set default null;
create trigger payment_refunds_currency before insert on payment_refunds
  for each row when (new.currency is null) execute function ledger_currency_of_payment();

alter table chargebacks add column currency text not null default deployment_currency();
alter table chargebacks alter column currency set default null;
create trigger chargebacks_currency before insert on chargebacks
  for each row when (new.currency is null) execute function ledger_currency_of_payment();

alter table goodwill_payments add column currency text not null default deployment_currency();
alter table goodwill_payments alter column currency set default null;
create trigger goodwill_payments_at_currency before insert on goodwill_payments
  for each row when (new.currency is null) execute function ledger_currency_of_payment();

alter table provider_facts add column currency text not null default deployment_currency();
alter table provider_facts alter column currency set default null;
create trigger provider_facts_currency before insert on provider_facts
  for each row when (new.currency is null) execute function ledger_currency_of_payment();

-- Each currency has fees of its own.
alter table fee_rates add column currency text not null default deployment_currency();
alter table fee_rates alter column currency set default market_currency();
-- Its bound was one of dollars. The settings have a bound for each currency.
alter table fee_rates drop constraint fee_rates_processing_cents;
alter table fee_rates add constraint fee_rates_processing_cents check (processing_fee_cents >= 0) not valid;

create or replace function record_first_versions() returns trigger language plpgsql as $$
begin
  insert into request_versions
    (wanted_item_id, version, title, description, category, min_budget, max_budget, images, created_at, currency)
  select id, version, title, description, category, min_budget, max_budget, images, created_at, currency from added;
  return null;
end
$$;

create or replace function record_version() returns trigger language plpgsql as $$
begin
  new.version := old.version;
  if (old.title, old.description, old.category, old.min_budget, old.max_budget, old.currency, old.images)
    is not distinct from
    (new.title, new.description, new.category, new.min_budget, new.max_budget, new.currency, new.images)
  then
    return new;
  end if;
  if (old.title, old.description, old.category, old.min_budget, old.max_budget, old.currency)
    = (new.title, new.description, new.category, new.min_budget, new.max_budget, new.currency)
    and same_pictures(old.images, new.images)
    and not exists (select from offers where wanted_item_id = old.id and request_version = old.version)
  then
    update request_versions set images = new.images where wanted_item_id = old.id and version = old.version;
    return new;
  end if;
  new.version := old.version + 1;
  insert into request_versions
    (wanted_item_id, version, title, description, category, min_budget, max_budget, images, created_at, currency)
  values (new.id, new.version, new.title, new.description, new.category, new.min_budget, new.max_budget, new.images,
    new.updated_at, new.currency);
  return new;
end
$$;

-- An offer has the currency of the request. The lock makes edits of the request wait. One statement can insert both, so
-- that the request is not found yet.
create or replace function offers_answer_version() returns trigger language plpgsql as $$
declare
  answered record;
begin
  if tg_op = 'INSERT' then
    select version, currency into answered from wanted_items where id = new.wanted_item_id for share;
    new.request_version := coalesce(answered.version, new.request_version);
    new.currency := coalesce(new.currency, answered.currency, market_currency());
  elsif old.request_version <> new.request_version
    and (old.status, new.status, new.proposed_by) <> ('pending', 'pending', 'seller')
  then
    raise exception 'offer % stays with its version of the request', new.id
      using errcode = 'check_violation', constraint = 'offers_answer_version';
  end if;
  return new;
end
$$;

create or replace view offer_requests as
select offers.id as offer_id, answered.wanted_item_id, answered.version, answered.title, answered.description,
  answered.category, answered.min_budget, answered.max_budget, shown_images(answered.images) as images, answered.currency
from offers join request_versions answered
  on answered.wanted_item_id = offers.wanted_item_id and answered.version = offers.request_version;

-- Goodwill is limited in each currency.

create or replace function goodwill_payments_max() returns trigger language plpgsql as $$
declare
  given bigint;
begin
  select coalesce(sum(amount_cents), 0) into given from goodwill_payments
    where payment_id = new.payment_id and currency = new.currency and status <> 'rejected' and appeal_id is null
      and id <> new.id;
  if coalesce(given + new.amount_cents > times_smallest_charge(20000, new.currency), true) then
    raise exception 'payment % gets too much goodwill', new.payment_id
      using errcode = 'check_violation', constraint = 'goodwill_payments_max';
  end if;
  return new;
end $$;
-- Beside the other settings are the limits of the first currency, and in `limits` those of the others.
create function goodwill_limits(settings jsonb, currency text) returns jsonb language sql stable as $$
  select case
    when goodwill_limits.currency = coalesce(settings #>> '{currencies,0}', (select installation.currency from installation))
      then settings
    else settings #> array['limits', goodwill_limits.currency]
  end
$$;

create or replace function market_settings_goodwill() returns trigger language plpgsql as $$
declare
  earlier jsonb;
  limited text;
  limits_before jsonb;
  limit_before bigint;
  limit_after bigint;
begin
  select settings into earlier from market_settings where id <> new.id order by id desc limit 1;
  for limited in
    select jsonb_object_keys(new.settings -> 'limits')
    union select coalesce(new.settings #>> '{currencies,0}', (select currency from installation))
  loop
    limits_before := goodwill_limits(earlier, limited);
    limit_before := coalesce((limits_before ->> 'goodwillApprovalCents')::bigint, times_smallest_charge(200, limited));
    limit_after := coalesce((goodwill_limits(new.settings, limited) ->> 'goodwillApprovalCents')::bigint,
      times_smallest_charge(200, limited));
    if coalesce(limit_after > times_smallest_charge(20000, limited), true) then
      raise exception 'the limit of goodwill in % is too high', limited
        using errcode = 'check_violation', constraint = 'market_settings_goodwill';
    end if;
    if limit_after > limit_before and (
      limit_after is distinct from (limits_before ->> 'proposedGoodwillApprovalCents')::bigint
      or coalesce(limits_before ->> 'goodwillApprovalProposedBy' = new.changed_by, true)
    ) then
      raise exception 'a second admin must raise the limit of goodwill'
        using errcode = 'check_violation', constraint = 'market_settings_goodwill';
    end if;
  end loop;
  return new;
end $$;
