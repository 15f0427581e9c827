create unique index concurrently wanted_items_currency on wanted_items (id, currency);
