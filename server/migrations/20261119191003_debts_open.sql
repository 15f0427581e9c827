create index concurrently debts_open on debts (created_at) where settled_at is null and given_up_cents = 0;
