-- Rewrites the table (ADR 101).
alter table offers drop constraint offers_terms;
alter table offers alter amount type bigint;
