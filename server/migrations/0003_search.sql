CREATE TABLE "search_words" (
	"word" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wanted_item_words" (
	"word" text COLLATE "C" NOT NULL,
	"item_id" integer NOT NULL,
	CONSTRAINT "wanted_item_words_word_item_id_pk" PRIMARY KEY("word","item_id")
);
--> statement-breakpoint
DROP INDEX "messages_thread";--> statement-breakpoint
DROP INDEX "messages_sent";--> statement-breakpoint
DROP INDEX "messages_received";--> statement-breakpoint
DROP INDEX "offers_item";--> statement-breakpoint
DROP INDEX "offers_bought";--> statement-breakpoint
DROP INDEX "offers_sold";--> statement-breakpoint
DROP INDEX "payments_bought";--> statement-breakpoint
DROP INDEX "payments_sold";--> statement-breakpoint
DROP INDEX "payments_disputes";--> statement-breakpoint
DROP INDEX "payouts_seller";--> statement-breakpoint
DROP INDEX "ratings_seller";--> statement-breakpoint
DROP INDEX "wanted_items_open";--> statement-breakpoint
DROP INDEX "wanted_items_open_category";--> statement-breakpoint
DROP INDEX "wanted_items_open_urgency";--> statement-breakpoint
DROP INDEX "wanted_items_user";--> statement-breakpoint
ALTER TABLE "wanted_items" ADD COLUMN "words" text[] GENERATED ALWAYS AS (search_words_of(title, description, category, location, urgency)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "search_words_word" ON "search_words" USING btree ("word");--> statement-breakpoint
CREATE INDEX "search_words_part" ON "search_words" USING gin ("word" gin_trgm_ops) WITH (fastupdate=off);--> statement-breakpoint
CREATE INDEX "wanted_items_open_urgent_category" ON "wanted_items" USING btree ("category","id") WHERE "wanted_items"."status" = 'open' and "wanted_items"."urgency" = 'high';--> statement-breakpoint
CREATE INDEX "wanted_items_open_words" ON "wanted_items" USING gin ("words") WITH (fastupdate=off) WHERE "wanted_items"."status" = 'open';--> statement-breakpoint
CREATE INDEX "messages_thread" ON "messages" USING btree ("wanted_item_id","sender_id","receiver_id","id");--> statement-breakpoint
CREATE INDEX "messages_sent" ON "messages" USING btree ("sender_id","id");--> statement-breakpoint
CREATE INDEX "messages_received" ON "messages" USING btree ("receiver_id","id");--> statement-breakpoint
CREATE INDEX "offers_item" ON "offers" USING btree ("wanted_item_id","id");--> statement-breakpoint
CREATE INDEX "offers_bought" ON "offers" USING btree ("buyer_id","id");--> statement-breakpoint
CREATE INDEX "offers_sold" ON "offers" USING btree ("seller_id","id");--> statement-breakpoint
CREATE INDEX "payments_bought" ON "payments" USING btree ("buyer_id","id");--> statement-breakpoint
CREATE INDEX "payments_sold" ON "payments" USING btree ("seller_id","id");--> statement-breakpoint
CREATE INDEX "payments_disputes" ON "payments" USING btree ("status","updated_at") WHERE "payments"."status" not in ('pending', 'held_in_escrow', 'completed');--> statement-breakpoint
CREATE INDEX "payouts_seller" ON "payouts" USING btree ("seller_id","id");--> statement-breakpoint
CREATE INDEX "ratings_seller" ON "ratings" USING btree ("seller_id","created_at");--> statement-breakpoint
CREATE INDEX "wanted_items_open" ON "wanted_items" USING btree ("id") WHERE "wanted_items"."status" = 'open';--> statement-breakpoint
CREATE INDEX "wanted_items_open_category" ON "wanted_items" USING btree ("category","id") WHERE "wanted_items"."status" = 'open';--> statement-breakpoint
CREATE INDEX "wanted_items_open_urgency" ON "wanted_items" USING btree ("urgency","id") WHERE "wanted_items"."status" = 'open';--> statement-breakpoint
CREATE INDEX "wanted_items_user" ON "wanted_items" USING btree ("user_id","id");