drop index concurrently if exists wanted_items_without_country;
