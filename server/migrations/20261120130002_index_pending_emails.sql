create index concurrently users_pending_email on users (lower(pending_email)) where pending_email is not null;
