create unique index concurrently payments_currency on payments (id, currency);
