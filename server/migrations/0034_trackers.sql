CREATE TABLE "stand_in_parcels" (
	"tracker_id" text PRIMARY KEY NOT NULL,
	"carrier" text NOT NULL,
	"number" text NOT NULL,
	"status" text NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trackers" (
	"payment_id" integer PRIMARY KEY NOT NULL,
	"tracker_id" text,
	"carrier" text NOT NULL,
	"number" text NOT NULL,
	"status" text DEFAULT 'unknown' NOT NULL,
	"reported_at" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	"next_check_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "trackers_carrier" CHECK ("trackers"."carrier" in ('ups', 'usps', 'fedex', 'dhl', 'royal_mail', 'deutsche_post', 'la_poste', 'canada_post', 'australia_post', 'pos_malaysia', 'jnt', 'ninja_van', 'other')),
	CONSTRAINT "trackers_status" CHECK ("trackers"."status" in ('unknown', 'pre_transit', 'in_transit', 'out_for_delivery', 'available_for_pickup', 'delivered', 'return_to_sender', 'failure'))
);
--> statement-breakpoint
ALTER TABLE "trackers" ADD CONSTRAINT "trackers_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "stand_in_parcels_number" ON "stand_in_parcels" USING btree ("number");--> statement-breakpoint
CREATE INDEX "trackers_tracker" ON "trackers" USING btree ("tracker_id");--> statement-breakpoint
CREATE INDEX "trackers_next_check" ON "trackers" USING btree ("next_check_at") WHERE "trackers"."next_check_at" is not null;--> statement-breakpoint
-- A parcel that arrived stays so, whatever is reported later.
create function trackers_stay_delivered() returns trigger language plpgsql as $$
begin
  raise exception 'the parcel of payment % was delivered', old.payment_id
    using errcode = 'check_violation', constraint = 'trackers_stay_delivered';
end
$$;
--> statement-breakpoint
create trigger trackers_stay_delivered
  before update on trackers
  for each row
  when (old.status = 'delivered' and new.status <> 'delivered')
  execute function trackers_stay_delivered();
