ALTER TABLE "mails" DROP CONSTRAINT "mails_kind";--> statement-breakpoint
ALTER TABLE "notifications" DROP CONSTRAINT "notifications_kind";--> statement-breakpoint
ALTER TABLE "wanted_items" DROP CONSTRAINT "wanted_items_status";--> statement-breakpoint
-- Generated at first: an update of all requests would also compare the words of each of them.
ALTER TABLE "wanted_items" ADD COLUMN "expires_at" timestamp (3) with time zone GENERATED ALWAYS AS ((coalesce(renewed_at, created_at) at time zone 'UTC' + interval '60 days') at time zone 'UTC') STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "wanted_items" ALTER COLUMN "expires_at" DROP EXPRESSION;--> statement-breakpoint
ALTER TABLE "wanted_items" ALTER COLUMN "expires_at" SET DEFAULT now() + interval '60 days';--> statement-breakpoint
ALTER TABLE "wanted_items" ADD COLUMN "expiry_notice_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "wanted_items_open_expiry" ON "wanted_items" USING btree ("expires_at","position") WHERE "wanted_items"."status" = 'open';--> statement-breakpoint
CREATE INDEX "wanted_items_expiry_notice" ON "wanted_items" USING btree ("expires_at") WHERE "wanted_items"."status" = 'open' and "wanted_items"."expiry_notice_at" is null;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_kind" CHECK ("mails"."kind" in ('message', 'offer_made', 'offer_accepted', 'offer_rejected', 'offer_countered', 'request_reserved', 'request_expiring', 'payment_held', 'parcel', 'ship_reminder', 'cancellation', 'delivery_confirmed', 'funds_released', 'escrow_ending', 'dispute_opened', 'dispute_answered', 'dispute_ruled', 'rating_received', 'support', 'verify_email', 'reset_password', 'email_changed', 'password_changed', 'second_factor_added', 'second_factor_removed', 'new_device', 'payout_account_changed', 'reconciliation_differences', 'ticket_received', 'ticket_answered'));--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_kind" CHECK ("notifications"."kind" in ('message', 'offer_made', 'offer_accepted', 'offer_rejected', 'offer_countered', 'request_reserved', 'request_expiring', 'payment_held', 'parcel', 'ship_reminder', 'cancellation', 'delivery_confirmed', 'funds_released', 'escrow_ending', 'dispute_opened', 'dispute_answered', 'dispute_ruled', 'rating_received', 'support'));--> statement-breakpoint
ALTER TABLE "wanted_items" ADD CONSTRAINT "wanted_items_status" CHECK ("wanted_items"."status" in ('open', 'expired', 'reserved', 'fulfilled', 'closed'));--> statement-breakpoint
-- A request is open for 60 days from its posting or renewal, whoever writes it (ADR 65). In hours, because the length of
-- a day depends on the time zone of the session.
create function set_expiry() returns trigger language plpgsql as $$
begin
  new.expires_at := coalesce(new.renewed_at, new.created_at) + interval '1440 hours';
  return new;
end
$$;
--> statement-breakpoint
create trigger wanted_items_insert_expiry before insert on wanted_items
  for each row execute function set_expiry();
--> statement-breakpoint
create trigger wanted_items_update_expiry before update of created_at, renewed_at on wanted_items
  for each row execute function set_expiry();
--> statement-breakpoint
-- While money is in escrow, its request keeps its text and its status.
create or replace function wanted_items_reserved() returns trigger language plpgsql as $$
begin
  if (old.title, old.description, old.category, old.min_budget, old.max_budget, old.location, old.urgency, old.image_url)
    is distinct from
    (new.title, new.description, new.category, new.min_budget, new.max_budget, new.location, new.urgency, new.image_url)
    or new.status in ('open', 'expired', 'closed') and exists (
      select from payments
      where wanted_item_id = new.id and status in ('held_in_escrow', 'disputed', 'under_review')
    )
  then
    raise exception 'request % is reserved', new.id
      using errcode = 'check_violation', constraint = 'wanted_items_reserved';
  end if;
  return new;
end
$$;
