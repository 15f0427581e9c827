-- Payments from before have neither.
alter table goodwill_payments add column paid_by text;
alter table goodwill_payments add column client_id text;
alter table goodwill_payments
  add constraint goodwill_payments_paid_by_users_id_fk foreign key (paid_by) references users (id) not valid;
alter table goodwill_payments
  add constraint goodwill_payments_paid_by_another check (paid_by is null or paid_at is not null and paid_by <> requested_by)
  not valid;

-- The same bound as GOODWILL_MAX_CENTS. Overturned rulings pay what the ruling cost.
create function goodwill_payments_max() returns trigger language plpgsql as $$
declare
  given bigint;
begin
  select coalesce(sum(amount_cents), 0) into given from goodwill_payments
    where payment_id = new.payment_id and status <> 'rejected' and appeal_id is null and id <> new.id;
  if given + new.amount_cents > 1000000 then
    raise exception 'payment % gets more than 10,000.00 of goodwill', new.payment_id
      using errcode = 'check_violation', constraint = 'goodwill_payments_max';
  end if;
  return new;
end $$;
create trigger goodwill_payments_max
  before insert on goodwill_payments
  for each row when (new.appeal_id is null)
  execute function goodwill_payments_max();

-- Nobody gives goodwill up to a higher limit alone.
create function market_settings_goodwill() returns trigger language plpgsql as $$
declare
  earlier jsonb;
  limit_before integer;
  limit_after integer;
begin
  limit_after := coalesce((new.settings ->> 'goodwillApprovalCents')::integer, 10000);
  if limit_after > 1000000 then
    raise exception 'the limit of goodwill is above 10,000.00'
      using errcode = 'check_violation', constraint = 'market_settings_goodwill';
  end if;
  select settings into earlier from market_settings where id <> new.id order by id desc limit 1;
  limit_before := coalesce((earlier ->> 'goodwillApprovalCents')::integer, 10000);
  if limit_after > limit_before and (
    limit_after is distinct from (earlier ->> 'proposedGoodwillApprovalCents')::integer
    or coalesce(earlier ->> 'goodwillApprovalProposedBy' = new.changed_by, true)
  ) then
    raise exception 'a second admin must raise the limit of goodwill'
      using errcode = 'check_violation', constraint = 'market_settings_goodwill';
  end if;
  return new;
end $$;
create trigger market_settings_goodwill
  before insert on market_settings
  for each row execute function market_settings_goodwill();
