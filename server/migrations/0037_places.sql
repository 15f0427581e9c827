-- Filters by area and budget look up classes like search looks up words (ADR 61): three sizes of squares, and the
-- minimum and the maximum in steps of 1, 2, 5. All begin with a colon, which no word contains.
create function request_marks(place point, min_budget numeric, max_budget numeric) returns text[]
  language sql immutable parallel safe
  return (
    select array[
      ':<' || width_bucket(min_budget, steps),
      ':>' || width_bucket(max_budget, steps)
    ] || case when place is null then '{}'::text[] else array[
      ':s' || floor((place[1] + 90) / 0.25) || ',' || floor((place[0] + 180) / 0.25),
      ':m' || floor(place[1] + 90) || ',' || floor(place[0] + 180),
      ':l' || floor((place[1] + 90) / 4) || ',' || floor((place[0] + 180) / 4)
    ] end
    from (
      select array[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000,
        1000000, 2000000, 5000000, 10000000, 20000000]::numeric[] as steps
    ) classes
  );
--> statement-breakpoint
DROP INDEX "wanted_items_open_words";--> statement-breakpoint
ALTER TABLE "wanted_items" ADD COLUMN "place" "point";--> statement-breakpoint
ALTER TABLE "wanted_items" ADD COLUMN "is_located" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "wanted_items" ADD COLUMN "marks" text[] GENERATED ALWAYS AS (request_marks(place, min_budget, max_budget)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "wanted_items_open_budget" ON "wanted_items" USING btree ("max_budget","position") WHERE "wanted_items"."status" = 'open';--> statement-breakpoint
CREATE INDEX "wanted_items_open_posted" ON "wanted_items" USING btree ("created_at") WHERE "wanted_items"."status" = 'open';--> statement-breakpoint
CREATE INDEX "wanted_items_open_pictured" ON "wanted_items" USING btree ("position") WHERE "wanted_items"."status" = 'open' and "wanted_items"."picture_url" is not null;--> statement-breakpoint
CREATE INDEX "wanted_items_open_unpictured" ON "wanted_items" USING btree ("position") WHERE "wanted_items"."status" = 'open' and "wanted_items"."picture_url" is null;--> statement-breakpoint
CREATE INDEX "wanted_items_not_located" ON "wanted_items" USING btree ("id") WHERE not "wanted_items"."is_located";--> statement-breakpoint
-- 0044 creates the index of words again and fills wanted_item_words, so that the migrations in between are fast.
ALTER TABLE "wanted_items" ADD CONSTRAINT "wanted_items_place" CHECK ("wanted_items"."place" is null or ("wanted_items"."place"[0] between -180 and 180 and "wanted_items"."place"[1] between -90 and 90));
--> statement-breakpoint
-- The lists of words also list marks. Marks are no words that somebody can search for, so search_words has none.
create or replace function add_search_words() returns trigger language plpgsql as $$
begin
  insert into search_words (word)
    select distinct added.word collate "C"
    from new_items, unnest(words) added (word)
    where status = 'open' and not exists (select from search_words known where known.word = added.word collate "C")
    order by 1;
  insert into wanted_item_words (word, position)
    select distinct added.word collate "C", new_items.position
    from new_items, unnest(words || marks) added (word)
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
      from old_items, unnest(words || marks) removed (word)
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
      from old_items, unnest(words || marks) removed (word)
      where status = 'open'
      except
      select word, new_items.position from new_items, unnest(words || marks) word where status = 'open'
    ) gone
    where kept.word = gone.word and kept.position = gone.position;
  with added as materialized (
    select word collate "C" as word, new_items.position from new_items, unnest(words || marks) word where status = 'open'
    except
    select word, old_items.position from old_items, unnest(words || marks) word where status = 'open'
  ), learnt as (
    insert into search_words (word)
      select distinct word from added
      where word not like ':%' and not exists (select from search_words known where known.word = added.word)
      order by 1
  )
  insert into wanted_item_words (word, position) select word, added.position from added order by 1, 2;
  return null;
end
$$;
