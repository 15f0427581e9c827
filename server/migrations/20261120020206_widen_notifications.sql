-- Rewrites the table (ADR 101).
alter table notifications alter amount type bigint;
