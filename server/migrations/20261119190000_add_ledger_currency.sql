-- Each ledger entry has a currency. One that names none, like all of the previous release, has its payment's.
alter table ledger_entries add currency text;

create function ledger_currency_of_payment() returns trigger language plpgsql as $$
begin
  new.currency := (select currency from payments where id = new.payment_id);
  return new;
end
$$;

create trigger ledger_entries_currency before insert on ledger_entries
  for each row when (new.currency is null) execute function ledger_currency_of_payment();

alter table ledger_entries add constraint ledger_entries_currency_not_null check (currency is not null) not valid;
alter table ledger_entries add constraint ledger_entries_currency check (currency ~ '^[a-z]{3}$') not valid;
alter table ledger_entries drop constraint ledger_entries_account;
alter table ledger_entries add constraint ledger_entries_account check (account ~ '^(provider|fx:[a-z]{3}|escrow:[0-9]+|seller:.+|buyer:.+|debt:.+|fees:(platform|processing|provider)|losses:(chargebacks|refunds|debts)|platform:goodwill)$') not valid;

create or replace function ledger_key_must_balance() returns trigger language plpgsql as $$
begin
  if exists (
    select from ledger_entries where key = new.key group by currency having sum(amount_cents) <> 0
  ) then
    raise exception 'ledger entries under key % do not sum to zero', new.key using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end
$$;

-- The next migration fills the column. Nothing else changes an entry.
create or replace function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('sought.fills_ledger_currency', true) = 'yes' then
    return null;
  end if;
  raise exception 'ledger entries are never changed or removed' using errcode = 'integrity_constraint_violation';
end
$$;
