-- Rewrites the table (ADR 101).
drop trigger debts_stay_closed on debts;
alter table debts
  alter amount_cents type bigint,
  alter settled_cents type bigint,
  alter given_up_cents type bigint;
create trigger debts_stay_closed before update on debts
  for each row when (old.given_up_cents > 0)
  execute function debts_stay_closed();
