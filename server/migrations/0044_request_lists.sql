-- Lists of requests for each word and mark in every sort order, and marks for all filters (ADR 61).

-- The class of a budget in steps of 1, 2, 5, and its tenth of the step: 620 is '9' and '9.2'. In PL/pgSQL, which takes a
-- fraction of the time of an SQL function that cannot be inlined.
create function budget_marks(mark text, budget numeric) returns text[]
  language plpgsql immutable parallel safe as $$
declare
  steps constant numeric[] := '{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000,
    500000, 1000000, 2000000, 5000000, 10000000, 20000000}';
  class constant integer := width_bucket(budget, steps);
begin
  return array[
    mark || class,
    mark || class || '.' || case class when 0 then 0 else floor((budget - steps[class]) * 10 / steps[class]) end
  ];
end
$$;
--> statement-breakpoint
-- The category, urgency unless it is high (which is the word '!!'), whether there is a picture, the day and hour of
-- posting, the classes of budgets, and three sizes of squares. All begin with a colon, which no word contains.
create function request_marks(
  place point, min_budget numeric, max_budget numeric, category text, urgency text, images jsonb, created_at timestamptz
) returns text[]
  language plpgsql immutable parallel safe as $$
declare
  posted constant numeric := extract(epoch from created_at at time zone 'UTC');
begin
  return array[
      ':c' || category,
      ':p' || (images <> '[]')::integer,
      ':d' || floor(posted / 86400),
      ':h' || floor(posted / 3600)
    ]
    -- Minimum budgets up to a step are in the class below it, so that a round maximum needs no part of a class.
    || budget_marks(':<', min_budget - 0.01)
    || budget_marks(':>', max_budget)
    || case urgency when 'high' then '{}'::text[] else array[':u' || urgency] end
    || case when place is null then '{}'::text[] else array[
      ':s' || floor((place[1] + 90) / 0.25) || ',' || floor((place[0] + 180) / 0.25),
      ':m' || floor(place[1] + 90) || ',' || floor(place[0] + 180),
      ':l' || floor((place[1] + 90) / 4) || ',' || floor((place[0] + 180) / 4)
    ] end;
end
$$;
--> statement-breakpoint
DROP INDEX "wanted_items_open_posted";--> statement-breakpoint
DROP INDEX "wanted_items_open_pictured";--> statement-breakpoint
DROP INDEX "wanted_items_open_unpictured";--> statement-breakpoint
-- Dropping the column drops the index of words.
ALTER TABLE "wanted_items" DROP COLUMN "marks";--> statement-breakpoint
drop function request_marks(point, numeric, numeric);--> statement-breakpoint
ALTER TABLE "wanted_items" ADD COLUMN "marks" text[] GENERATED ALWAYS AS (request_marks(place, min_budget, max_budget, category, urgency, images, created_at)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "wanted_items_open_words" ON "wanted_items" USING gin ("words","marks") WITH (fastupdate=off) WHERE "wanted_items"."status" = 'open';--> statement-breakpoint
truncate wanted_item_words;--> statement-breakpoint
ALTER TABLE "wanted_item_words" ADD COLUMN "max_budget" numeric(12, 2) NOT NULL;--> statement-breakpoint
ALTER TABLE "wanted_item_words" ADD COLUMN "expires_at" timestamp (3) with time zone NOT NULL;--> statement-breakpoint
insert into wanted_item_words (word, position, max_budget, expires_at)
  select distinct word collate "C", position, max_budget, expires_at
  from wanted_items, unnest(words || marks) word
  where status = 'open'
  order by 1, 2;
--> statement-breakpoint
CREATE INDEX "wanted_item_words_budget" ON "wanted_item_words" USING btree ("word","max_budget","position");--> statement-breakpoint
CREATE INDEX "wanted_item_words_expiry" ON "wanted_item_words" USING btree ("word","expires_at","position");--> statement-breakpoint
create or replace function add_search_words() returns trigger language plpgsql as $$
begin
  insert into search_words (word)
    select distinct added.word collate "C"
    from new_items, unnest(words) added (word)
    where status = 'open' and not exists (select from search_words known where known.word = added.word collate "C")
    order by 1;
  insert into wanted_item_words (word, position, max_budget, expires_at)
    select distinct added.word collate "C", position, max_budget, expires_at
    from new_items, unnest(words || marks) added (word)
    where status = 'open'
    order by 1, 2;
  return null;
end
$$;
--> statement-breakpoint
create or replace function change_search_words() returns trigger language plpgsql as $$
begin
  delete from wanted_item_words kept
    using (
      select word collate "C" as word, position, max_budget, expires_at
      from old_items, unnest(words || marks) word
      where status = 'open'
      except
      select word, position, max_budget, expires_at from new_items, unnest(words || marks) word where status = 'open'
    ) gone
    where kept.word = gone.word and kept.position = gone.position;
  with added as materialized (
    select word collate "C" as word, position, max_budget, expires_at
    from new_items, unnest(words || marks) word
    where status = 'open'
    except
    select word, position, max_budget, expires_at from old_items, unnest(words || marks) word where status = 'open'
  ), learnt as (
    insert into search_words (word)
      select distinct word from added
      where word not like ':%' and not exists (select from search_words known where known.word = added.word)
      order by 1
  )
  insert into wanted_item_words (word, position, max_budget, expires_at)
    select word, position, max_budget, expires_at from added order by 1, 2;
  return null;
end
$$;
--> statement-breakpoint
-- Saved searches that are found by marks are compared with every request until they are saved again.
update saved_searches set keys = '{""}' where exists (select from unnest(keys) key where key like ':%');
