CREATE INDEX CONCURRENTLY "wanted_items_without_country" ON "wanted_items" USING btree ("id") WHERE "wanted_items"."place" is not null and "wanted_items"."country" is null;
