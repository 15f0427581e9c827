create index concurrently files_held on files (held_at) where held_at is not null and infection is null;
