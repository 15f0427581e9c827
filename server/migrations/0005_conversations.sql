ALTER TABLE "offers" DROP CONSTRAINT "offers_status";--> statement-breakpoint
DROP INDEX "offers_item";--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "client_id" text;--> statement-breakpoint
ALTER TABLE "offers" ADD COLUMN "proposed_by" text DEFAULT 'seller' NOT NULL;--> statement-breakpoint
ALTER TABLE "offers" ADD COLUMN "counter_of" integer;--> statement-breakpoint
ALTER TABLE "offers" ADD COLUMN "withdrawn_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "offers" ADD CONSTRAINT "offers_counter_of_offers_id_fk" FOREIGN KEY ("counter_of") REFERENCES "public"."offers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "messages_client_unique" ON "messages" USING btree ("sender_id","client_id");--> statement-breakpoint
CREATE INDEX "offers_pair" ON "offers" USING btree ("wanted_item_id","seller_id","id");--> statement-breakpoint
ALTER TABLE "offers" ADD CONSTRAINT "offers_withdrawn" CHECK (("offers"."status" = 'withdrawn') = ("offers"."withdrawn_at" is not null));--> statement-breakpoint
ALTER TABLE "offers" ADD CONSTRAINT "offers_proposed_by" CHECK ("offers"."proposed_by" in ('seller', 'buyer'));--> statement-breakpoint
ALTER TABLE "offers" ADD CONSTRAINT "offers_counter" CHECK (("offers"."proposed_by" = 'buyer') = ("offers"."counter_of" is not null));--> statement-breakpoint
ALTER TABLE "offers" ADD CONSTRAINT "offers_status" CHECK ("offers"."status" in ('pending', 'accepted', 'rejected', 'withdrawn'));