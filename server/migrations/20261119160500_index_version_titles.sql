create index concurrently request_versions_title on request_versions using gin (lower(title) gin_trgm_ops);
