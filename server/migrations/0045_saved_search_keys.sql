-- A search has several keys (ADR 64): one word, or all squares or budgets that a matching request can have.
ALTER TABLE "saved_searches" ADD COLUMN "keys" text[];--> statement-breakpoint
UPDATE "saved_searches" SET "keys" = array["key"];--> statement-breakpoint
ALTER TABLE "saved_searches" ALTER COLUMN "keys" SET NOT NULL;--> statement-breakpoint
DROP INDEX "saved_searches_key";--> statement-breakpoint
ALTER TABLE "saved_searches" DROP COLUMN "key";--> statement-breakpoint
ALTER TABLE "saved_searches" DROP COLUMN "category";--> statement-breakpoint
CREATE INDEX "saved_searches_keys" ON "saved_searches" USING gin ("keys") WITH (fastupdate=off) WHERE "saved_searches"."alerts" <> 'off';--> statement-breakpoint
-- The same keys as before. The planner expected millions of rows from the series, and compiled the statement each time.
create or replace function search_keys(words text[]) returns setof text
  language plpgsql immutable parallel safe rows 500 as $$
declare
  word text;
begin
  return next '';
  foreach word in array words loop
    for start in 1 .. char_length(word) loop
      -- As in search_words_with, one or two letters begin a word.
      for size in case start when 1 then 1 else 3 end .. least(10, char_length(word) - start + 1) loop
        return next substr(word, start, size);
      end loop;
    end loop;
  end loop;
end
$$;
