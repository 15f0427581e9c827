-- The refund that a ruling decided, once a later refund takes its place.
alter table payments add column ruled_refund_cents integer;
alter table payments add column ruled_refunded_at timestamptz(3);
-- The number of the first attempt at the refund after the release. Null if there was none.
alter table payments add column refund_first_attempt integer;
