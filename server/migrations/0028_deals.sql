-- Eleven random characters of Crockford's alphabet and a check character (ADR 50). Bytes 6 and 8 of a UUID are not
-- random. `contract/src/transaction-number.ts` checks the number.
create function new_transaction_number() returns text language plpgsql volatile as $$
declare
  alphabet constant text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  bytes constant bytea := uuid_send(gen_random_uuid());
  digits text := '';
  digit integer;
  check_digit integer := 0;
  byte_index integer;
begin
  foreach byte_index in array array[0, 1, 2, 3, 4, 5, 7, 9, 10, 11, 12] loop
    digit := get_byte(bytes, byte_index) & 31;
    digits := digits || substr(alphabet, digit + 1, 1);
    -- Multiplies by two in the field of 32 elements, which is a shift and a reduction.
    check_digit := check_digit # digit;
    check_digit := (check_digit << 1) # (case when check_digit >= 16 then 37 else 0 end);
  end loop;
  digits := digits || substr(alphabet, check_digit + 1, 1);
  return substr(digits, 1, 4) || '-' || substr(digits, 5, 4) || '-' || substr(digits, 9, 4);
end
$$;
--> statement-breakpoint
ALTER TABLE "mails" DROP CONSTRAINT "mails_kind";--> statement-breakpoint
ALTER TABLE "notifications" DROP CONSTRAINT "notifications_kind";--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT "payments_status";--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT "payments_held";--> statement-breakpoint
ALTER TABLE "wanted_items" DROP CONSTRAINT "wanted_items_status";--> statement-breakpoint
ALTER TABLE "payments" drop column "desk_status";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "desk_status" text GENERATED ALWAYS AS (case
    when status in ('disputed', 'under_review') then status
    when bank_decides then 'disputed'
    when status = 'held_in_escrow' and (needs_check or escalated_at is not null) then 'disputed'
    when status in ('completed', 'refunded') then bank_ruling
    when status not in ('pending', 'held_in_escrow', 'completed', 'refunded') then status
  end) STORED;--> statement-breakpoint
ALTER TABLE "offers" ADD COLUMN "replaced_by" integer;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "transaction_number" text DEFAULT new_transaction_number() NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "submitted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "offers" ADD CONSTRAINT "offers_replaced_by_offers_id_fk" FOREIGN KEY ("replaced_by") REFERENCES "public"."offers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_transaction_number_unique" ON "payments" USING btree ("transaction_number");--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_kind" CHECK ("mails"."kind" in ('message', 'offer_made', 'offer_accepted', 'offer_rejected', 'offer_countered', 'request_reserved', 'payment_held', 'delivery_confirmed', 'funds_released', 'escrow_ending', 'dispute_opened', 'dispute_answered', 'dispute_ruled', 'rating_received', 'verify_email', 'reset_password', 'email_changed', 'password_changed', 'second_factor_added', 'second_factor_removed', 'new_device', 'payout_account_changed', 'reconciliation_differences'));--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_kind" CHECK ("notifications"."kind" in ('message', 'offer_made', 'offer_accepted', 'offer_rejected', 'offer_countered', 'request_reserved', 'payment_held', 'delivery_confirmed', 'funds_released', 'escrow_ending', 'dispute_opened', 'dispute_answered', 'dispute_ruled', 'rating_received'));--> statement-breakpoint
ALTER TABLE "offers" ADD CONSTRAINT "offers_replaced" CHECK ("offers"."replaced_by" is null or "offers"."status" = 'withdrawn');--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_transaction_number" CHECK ("payments"."transaction_number" ~ '^([0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$');--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_status" CHECK ("payments"."status" in ('pending', 'held_in_escrow', 'completed', 'refunded', 'disputed', 'under_review', 'resolved_buyer', 'resolved_seller', 'resolved_partial'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_held" CHECK ("payments"."status" in ('pending', 'refunded') or "payments"."escrow_hold_until" is not null);--> statement-breakpoint
ALTER TABLE "wanted_items" ADD CONSTRAINT "wanted_items_status" CHECK ("wanted_items"."status" in ('open', 'reserved', 'fulfilled', 'closed'));--> statement-breakpoint
CREATE INDEX "payments_disputes" ON "payments" USING btree ("id") WHERE "payments"."desk_status" is not null;--> statement-breakpoint
CREATE INDEX "payments_disputes_by_status" ON "payments" USING btree ("desk_status","id") WHERE "payments"."desk_status" is not null;--> statement-breakpoint
CREATE INDEX "payments_dispute_words" ON "payments" USING gin ("dispute_words" gin_trgm_ops) WHERE "payments"."desk_status" is not null;--> statement-breakpoint
-- Whether the card step of a pending payment was submitted is not known, so it counts as a draft.
update payments set submitted_at = coalesce(charged_at, created_at) where status <> 'pending';
--> statement-breakpoint
update payments set dispute_words = dispute_words || E'\n' || lower(transaction_number) where dispute_words is not null;
--> statement-breakpoint
update wanted_items set status = 'reserved', updated_at = now()
where status <> 'fulfilled' and exists (
  select from payments
  where wanted_item_id = wanted_items.id and status in ('held_in_escrow', 'disputed', 'under_review')
);
--> statement-breakpoint
-- An offer that was withdrawn at the moment when another of the same people was made or accepted was replaced by it.
update offers set replaced_by = (
  select max(other.id) from offers other
  where other.wanted_item_id = offers.wanted_item_id
    and other.buyer_id = offers.buyer_id
    and other.seller_id = offers.seller_id
    and other.id <> offers.id
    and offers.withdrawn_at in (other.created_at, other.accepted_at)
)
where status = 'withdrawn';
--> statement-breakpoint
-- Two payments cannot both keep one request (ADR 49). Locking the request makes concurrent holds wait for each other.
-- Payments that were held before this rule stay as they are.
create function payments_one_per_request() returns trigger language plpgsql as $$
begin
  perform from wanted_items where id = new.wanted_item_id for update;
  if exists (
    select from payments
    where wanted_item_id = new.wanted_item_id and id <> new.id
      and status in ('held_in_escrow', 'disputed', 'under_review')
  ) then
    raise exception 'request % has a payment in escrow already', new.wanted_item_id
      using errcode = 'unique_violation', constraint = 'payments_one_per_request';
  end if;
  return new;
end
$$;
--> statement-breakpoint
create trigger payments_one_per_request
  before update of status on payments
  for each row
  when (old.status = 'pending' and new.status = 'held_in_escrow')
  execute function payments_one_per_request();
--> statement-breakpoint
-- While money is in escrow, its request keeps its text and is neither opened nor closed.
create function wanted_items_reserved() returns trigger language plpgsql as $$
begin
  if (old.title, old.description, old.category, old.min_budget, old.max_budget, old.location, old.urgency, old.image_url)
    is distinct from
    (new.title, new.description, new.category, new.min_budget, new.max_budget, new.location, new.urgency, new.image_url)
    or new.status in ('open', 'closed') and exists (
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
--> statement-breakpoint
create trigger wanted_items_reserved
  before update on wanted_items
  for each row
  when (old.status = 'reserved')
  execute function wanted_items_reserved();
