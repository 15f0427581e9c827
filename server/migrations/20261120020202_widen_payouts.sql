-- Rewrites the table (ADR 101).
alter table payouts alter amount type bigint, alter reversed_cents type bigint;
