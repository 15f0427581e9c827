-- Rewrites the table (ADR 101).
alter table provider_facts alter amount_cents type bigint;
