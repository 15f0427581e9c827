ALTER TABLE "wanted_item_words" RENAME COLUMN "item_id" TO "position";--> statement-breakpoint
DROP INDEX "wanted_items_open";--> statement-breakpoint
DROP INDEX "wanted_items_open_category";--> statement-breakpoint
DROP INDEX "wanted_items_open_urgency";--> statement-breakpoint
DROP INDEX "wanted_items_open_urgent_category";--> statement-breakpoint
ALTER TABLE "wanted_item_words" RENAME CONSTRAINT "wanted_item_words_word_item_id_pk" TO "wanted_item_words_word_position_pk";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "dismissed_steps" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "wanted_items" ADD COLUMN "renewed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "wanted_items" ADD COLUMN "renewed_position" integer;--> statement-breakpoint
ALTER TABLE "wanted_items" ADD COLUMN "position" integer GENERATED ALWAYS AS (coalesce(renewed_position, id)) STORED NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "wanted_items_position" ON "wanted_items" USING btree ("position");--> statement-breakpoint
CREATE INDEX "wanted_items_open" ON "wanted_items" USING btree ("position") WHERE "wanted_items"."status" = 'open';--> statement-breakpoint
CREATE INDEX "wanted_items_open_category" ON "wanted_items" USING btree ("category","position") WHERE "wanted_items"."status" = 'open';--> statement-breakpoint
CREATE INDEX "wanted_items_open_urgency" ON "wanted_items" USING btree ("urgency","position") WHERE "wanted_items"."status" = 'open';--> statement-breakpoint
CREATE INDEX "wanted_items_open_urgent_category" ON "wanted_items" USING btree ("category","position") WHERE "wanted_items"."status" = 'open' and "wanted_items"."urgency" = 'high';--> statement-breakpoint
ALTER TABLE "wanted_items" ADD CONSTRAINT "wanted_items_renewed" CHECK (num_nulls("wanted_items"."renewed_at", "wanted_items"."renewed_position") in (0, 2));--> statement-breakpoint
-- Search lists positions instead of ids, so that a renewed request comes first there too. A position that has changed
-- replaces the entries of all words.
create or replace function add_search_words() returns trigger language plpgsql as $$
begin
  insert into search_words (word)
    select distinct added.word collate "C"
    from new_items, unnest(words) added (word)
    where status = 'open' and not exists (select from search_words known where known.word = added.word collate "C")
    order by 1;
  insert into wanted_item_words (word, position)
    select distinct added.word collate "C", new_items.position
    from new_items, unnest(words) added (word)
    where status = 'open'
    order by 1, 2;
  return null;
end
$$;
--> statement-breakpoint
create or replace function remove_search_words() returns trigger language plpgsql as $$
begin
  delete from wanted_item_words kept
    using (
      select removed.word collate "C" as word, old_items.position
      from old_items, unnest(words) removed (word)
      where status = 'open'
    ) gone
    where kept.word = gone.word and kept.position = gone.position;
  return null;
end
$$;
--> statement-breakpoint
create or replace function change_search_words() returns trigger language plpgsql as $$
begin
  delete from wanted_item_words kept
    using (
      select removed.word collate "C" as word, old_items.position
      from old_items, unnest(words) removed (word)
      where status = 'open'
      except
      select word, new_items.position from new_items, unnest(words) word where status = 'open'
    ) gone
    where kept.word = gone.word and kept.position = gone.position;
  with added as materialized (
    select word collate "C" as word, new_items.position from new_items, unnest(words) word where status = 'open'
    except
    select word, old_items.position from old_items, unnest(words) word where status = 'open'
  ), learnt as (
    insert into search_words (word)
      select distinct word from added
      where not exists (select from search_words known where known.word = added.word)
      order by 1
  )
  insert into wanted_item_words (word, position) select word, added.position from added order by 1, 2;
  return null;
end
$$;
