ALTER TABLE "files" DROP CONSTRAINT "files_kind";--> statement-breakpoint
ALTER TABLE "mails" DROP CONSTRAINT "mails_kind";--> statement-breakpoint
ALTER TABLE "notifications" DROP CONSTRAINT "notifications_kind";--> statement-breakpoint
ALTER TABLE "offers" ADD COLUMN "delivery" text DEFAULT 'arranged' NOT NULL;--> statement-breakpoint
ALTER TABLE "offers" ADD COLUMN "ship_within_days" integer;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "delivery" text DEFAULT 'arranged' NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "ship_within_days" integer;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "ship_by" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "shipped_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "delivered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "carrier" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "tracking_number" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "shipment_note" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "shipment_photo" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "delivery_proof" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "cancel_requested_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "cancel_reason" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "cancelled_by" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "cancelled_late" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "delivery_address" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "handover_code" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "handover_failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "handover_locked_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "ended_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_shipment_photo_files_id_fk" FOREIGN KEY ("shipment_photo") REFERENCES "public"."files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_delivery_proof_files_id_fk" FOREIGN KEY ("delivery_proof") REFERENCES "public"."files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offers" ADD CONSTRAINT "offers_delivery_terms" UNIQUE("id","delivery");--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_delivery_terms" FOREIGN KEY ("offer_id","delivery") REFERENCES "public"."offers"("id","delivery") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payments_to_ship" ON "payments" USING btree ("ship_by") WHERE "payments"."status" = 'held_in_escrow' and "payments"."shipped_at" is null and "payments"."ship_by" is not null;--> statement-breakpoint
CREATE INDEX "payments_address_kept" ON "payments" USING btree (coalesce("ended_at", "updated_at")) WHERE "payments"."delivery_address" is not null and "payments"."status" not in ('held_in_escrow', 'disputed', 'under_review');--> statement-breakpoint
CREATE INDEX "payments_shipment_photo" ON "payments" USING btree ("shipment_photo") WHERE "payments"."shipment_photo" is not null;--> statement-breakpoint
CREATE INDEX "payments_delivery_proof" ON "payments" USING btree ("delivery_proof") WHERE "payments"."delivery_proof" is not null;--> statement-breakpoint
CREATE INDEX "payments_cancelled" ON "payments" USING btree ("seller_id") WHERE "payments"."cancelled_by" is not null;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_kind" CHECK ("files"."kind" in ('request_image', 'avatar', 'evidence', 'photo', 'parcel'));--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_kind" CHECK ("mails"."kind" in ('message', 'offer_made', 'offer_accepted', 'offer_rejected', 'offer_countered', 'request_reserved', 'payment_held', 'parcel', 'ship_reminder', 'cancellation', 'delivery_confirmed', 'funds_released', 'escrow_ending', 'dispute_opened', 'dispute_answered', 'dispute_ruled', 'rating_received', 'support', 'verify_email', 'reset_password', 'email_changed', 'password_changed', 'second_factor_added', 'second_factor_removed', 'new_device', 'payout_account_changed', 'reconciliation_differences', 'ticket_received', 'ticket_answered'));--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_kind" CHECK ("notifications"."kind" in ('message', 'offer_made', 'offer_accepted', 'offer_rejected', 'offer_countered', 'request_reserved', 'payment_held', 'parcel', 'ship_reminder', 'cancellation', 'delivery_confirmed', 'funds_released', 'escrow_ending', 'dispute_opened', 'dispute_answered', 'dispute_ruled', 'rating_received', 'support'));--> statement-breakpoint
ALTER TABLE "offers" ADD CONSTRAINT "offers_delivery" CHECK ("offers"."delivery" in ('arranged', 'shipping', 'in_person'));--> statement-breakpoint
ALTER TABLE "offers" ADD CONSTRAINT "offers_ship_within" CHECK (case when "offers"."delivery" = 'shipping' then "offers"."ship_within_days" is not null and "offers"."ship_within_days" between 1 and 14 else "offers"."ship_within_days" is null end);--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_delivery" CHECK ("payments"."delivery" in ('arranged', 'shipping', 'in_person'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_ship_within" CHECK (case when "payments"."delivery" = 'shipping' then "payments"."ship_within_days" is not null and "payments"."ship_within_days" between 1 and 14 else "payments"."ship_within_days" is null end);--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_ship_by" CHECK (case when "payments"."delivery" = 'shipping' then "payments"."ship_by" is not null or "payments"."status" in ('pending', 'refunded') else "payments"."ship_by" is null end);--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_shipped" CHECK ("payments"."shipped_at" is null or ("payments"."carrier" is not null and "payments"."delivery" <> 'in_person' and "payments"."status" not in ('pending', 'refunded')));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_delivered" CHECK ("payments"."delivered_at" is null or "payments"."shipped_at" is not null);--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_carrier" CHECK ("payments"."carrier" in ('ups', 'usps', 'fedex', 'dhl', 'royal_mail', 'deutsche_post', 'la_poste', 'canada_post', 'australia_post', 'pos_malaysia', 'jnt', 'ninja_van', 'other'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_unshipped" CHECK ("payments"."delivery" <> 'shipping' or "payments"."shipped_at" is not null or "payments"."status" <> 'completed' or "payments"."buyer_confirmed_at" is not null);--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_cancelled_by" CHECK ("payments"."cancelled_by" in ('buyer', 'seller', 'clock'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_cancellation" CHECK (case when "payments"."cancelled_by" is null then not "payments"."cancelled_late" else "payments"."status" = 'refunded' and "payments"."cancel_reason" is not null end);--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_handover_failures" CHECK ("payments"."handover_failures" between 0 and 5);