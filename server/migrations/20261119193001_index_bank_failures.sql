create index concurrently payouts_bank_failure on payouts (id) where bank_failure is not null;
