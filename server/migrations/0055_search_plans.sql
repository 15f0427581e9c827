-- The plan does not depend on the part. Planning took longer than the lookup.
alter function search_words_with(text, integer) set plan_cache_mode = force_generic_plan;
