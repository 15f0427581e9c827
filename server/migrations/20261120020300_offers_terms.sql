create unique index concurrently offers_terms on offers (id, wanted_item_id, buyer_id, seller_id, amount, currency);
