-- Databases of version 0.1.0 have these. Those that began with the baseline do not.
-- unused since 0.1.0

drop table if exists ratings;
drop function if exists turn_rating_into_review();
alter table payments alter currency drop default;
