create index concurrently reviews_recheck on reviews (recheck_at) where recheck_at is not null;
