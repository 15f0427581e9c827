alter table reviews validate constraint reviews_excluded;
