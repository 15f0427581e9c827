CREATE TABLE "request_views" (
	"wanted_item_id" integer PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "request_views_count" CHECK ("request_views"."count" > 0)
);
--> statement-breakpoint
ALTER TABLE "request_views" ADD CONSTRAINT "request_views_wanted_item_id_wanted_items_id_fk" FOREIGN KEY ("wanted_item_id") REFERENCES "public"."wanted_items"("id") ON DELETE cascade ON UPDATE no action;