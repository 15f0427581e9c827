-- The ledger's own guards, which no code path can forget (ADR 26).

create function ledger_key_must_balance() returns trigger language plpgsql as $$
begin
  if (select sum(amount_cents) from ledger_entries where key = new.key) <> 0 then
    raise exception 'ledger entries under key % do not sum to zero', new.key using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end
$$;
--> statement-breakpoint
create constraint trigger ledger_entries_balance
  after insert on ledger_entries
  deferrable initially deferred
  for each row execute function ledger_key_must_balance();
--> statement-breakpoint
create function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'ledger entries are never changed or removed' using errcode = 'integrity_constraint_violation';
end
$$;
--> statement-breakpoint
create trigger ledger_entries_append_only
  before update or delete or truncate on ledger_entries
  for each statement execute function ledger_is_append_only();
