-- Rewrites the table (ADR 101).
drop trigger payments_match_returned on payments;
alter table payments
  alter amount type bigint,
  alter refund_cents type bigint,
  alter settlement_cents type bigint,
  alter returned_cents type bigint,
  alter ruled_refund_cents type bigint,
  alter mischarged_cents type bigint,
  alter processing_fee_cents type bigint,
  alter minimum_fee_cents type bigint;
create constraint trigger payments_match_returned
  after update of returned_cents on payments
  deferrable initially deferred
  for each row when (old.returned_cents <> new.returned_cents)
  execute function payment_must_match_its_escrow();
