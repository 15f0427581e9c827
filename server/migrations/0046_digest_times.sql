ALTER TABLE "saved_searches" ALTER COLUMN "digest_at" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "saved_searches" ALTER COLUMN "digest_at" DROP NOT NULL;--> statement-breakpoint
UPDATE "saved_searches" SET "digest_at" = null WHERE "digest_at" = "created_at";--> statement-breakpoint
-- Waiting alerts are due a day after the last digest of their search, or after it was saved.
create function set_due_alerts() returns trigger language plpgsql as $$
begin
  update search_alerts set due_at = coalesce(new.digest_at, new.created_at) + interval '24 hours'
    where saved_search_id = new.id and due_at is not null;
  return null;
end
$$;
--> statement-breakpoint
create trigger saved_searches_digest after update of digest_at, created_at on saved_searches
  for each row execute function set_due_alerts();
