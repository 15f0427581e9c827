-- Requests that were open before.
insert into wanted_item_words (word, position, max_budget, expires_at)
select ':$' || currency, position, max_budget, expires_at from wanted_items where status = 'open'
on conflict do nothing;
