create unique index concurrently goodwill_payments_client_unique on goodwill_payments (requested_by, client_id);
