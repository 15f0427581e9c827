create index concurrently goodwill_payments_paid_by on goodwill_payments (paid_by);
