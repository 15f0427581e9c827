create unique index concurrently debts_cause_unique on debts (payment_id, reason, cause) where cause is not null;
