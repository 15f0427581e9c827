alter table ledger_entries alter currency set not null;
alter table ledger_entries drop constraint ledger_entries_currency_not_null;

create or replace function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'ledger entries are never changed or removed' using errcode = 'integrity_constraint_violation';
end
$$;

-- Sums are of one currency.

create or replace function payment_must_match_its_escrow() returns trigger language plpgsql as $$
declare
  held_cents bigint;
  due_cents bigint;
begin
  select coalesce(sum(amount_cents), 0) into held_cents
  from ledger_entries where account = 'escrow:' || new.id and currency = new.currency;
  due_cents := case
    when new.status in ('held_in_escrow', 'disputed', 'under_review') then new.amount - new.returned_cents
    else 0
  end;
  if held_cents <> due_cents then
    raise exception 'payment % is % with % cents in escrow', new.id, new.status, held_cents using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end
$$;

create or replace function debts_must_match_ledger() returns trigger language plpgsql as $$
declare
  changed jsonb := case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  debtor text := coalesce(changed ->> 'user_id', substr(changed ->> 'account', length('debt:') + 1));
begin
  if exists (
    select from (
      select currency, amount_cents as cents from ledger_entries where account = 'debt:' || debtor
      union all
      select currency, amount_cents - settled_cents from debts where user_id = debtor
    ) side
    group by currency having sum(cents) <> 0
  ) then
    raise exception 'the debts of user % do not match the ledger', debtor
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end
$$;

-- Figures have no currency, so they count only what is in the currency of the deal.
create or replace function ledger_figures(e ledger_entries) returns table (day date, figure text, value bigint)
language sql stable as $$
  SELECT
    figure_day(e.created_at),
    account.figure,
    account.sign * e.amount_cents
  FROM (
    VALUES
      ('fees:platform', 'fees', 1),
      ('fees:processing', 'processingFees', 1),
      ('fees:provider', 'providerCosts', -1),
      ('losses:chargebacks', 'losses', -1),
      ('losses:refunds', 'losses', -1),
      ('losses:debts', 'losses', -1),
      ('platform:goodwill', 'goodwill', -1)
  ) account (name, figure, sign)
  WHERE account.name = e.account AND e.currency = (SELECT currency FROM payments WHERE id = e.payment_id)
$$;
