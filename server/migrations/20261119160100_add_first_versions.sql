-- Requests from before versions: their first version is what they say now. Writes only to a table that nobody reads
-- yet, so that it stops nothing.
insert into request_versions
select id, version, title, description, category, min_budget, max_budget, images, created_at from wanted_items
on conflict do nothing;
