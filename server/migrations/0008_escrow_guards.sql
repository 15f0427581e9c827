-- A payment's status and the money behind it change together, or not at all (ADR 26).

create function payment_must_match_its_escrow() returns trigger language plpgsql as $$
declare
  held_cents bigint;
  due_cents bigint;
begin
  select coalesce(sum(amount_cents), 0) into held_cents from ledger_entries where account = 'escrow:' || new.id;
  due_cents := case when new.status in ('held_in_escrow', 'disputed', 'under_review') then new.amount else 0 end;
  if held_cents <> due_cents then
    raise exception 'payment % is % with % cents in escrow', new.id, new.status, held_cents using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end
$$;
--> statement-breakpoint
create constraint trigger payments_match_escrow
  after update of status on payments
  deferrable initially deferred
  for each row when (old.status is distinct from new.status)
  execute function payment_must_match_its_escrow();
