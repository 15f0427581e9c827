-- Rewrites the tables (ADR 101).
alter table payment_refunds alter amount_cents type bigint;
alter table chargebacks alter amount_cents type bigint;
alter table goodwill_payments alter amount_cents type bigint;
alter table fee_rates alter processing_fee_cents type bigint, alter minimum_fee_cents type bigint;
