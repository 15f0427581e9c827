CREATE TABLE "chargebacks" (
	"id" text PRIMARY KEY NOT NULL,
	"payment_id" integer NOT NULL,
	"amount_cents" integer NOT NULL,
	"status" text NOT NULL,
	"reason" text NOT NULL,
	"deadline" timestamp (3) with time zone,
	"opened_dispute" boolean DEFAULT false NOT NULL,
	"evidence_sent_at" timestamp (3) with time zone,
	"opened_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "provider_facts" (
	"key" text PRIMARY KEY NOT NULL,
	"payment_id" integer NOT NULL,
	"amount_cents" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_account";--> statement-breakpoint
ALTER TABLE "payouts" DROP CONSTRAINT "payouts_status";--> statement-breakpoint
ALTER TABLE "payouts" DROP CONSTRAINT "payouts_paid";--> statement-breakpoint
DROP INDEX "payments_refund_due";--> statement-breakpoint
DROP INDEX "payouts_try";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "returned_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "refund_failed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "refund_try_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "escalated_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "reversed_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "chargebacks" ADD CONSTRAINT "chargebacks_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_facts" ADD CONSTRAINT "provider_facts_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chargebacks_payment" ON "chargebacks" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "chargebacks_open" ON "chargebacks" USING btree ("deadline") WHERE "chargebacks"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "payments_refund_due" ON "payments" USING btree ("refund_try_at") WHERE "payments"."refund_cents" > 0 and "payments"."refunded_at" is null;--> statement-breakpoint
CREATE INDEX "payouts_try" ON "payouts" USING btree ("try_at") WHERE "payouts"."status" in ('owed', 'sending') and "payouts"."method" is distinct from 'manual';--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_account" CHECK ("ledger_entries"."account" ~ '^(provider|escrow:[0-9]+|seller:.+|buyer:.+|fees:(platform|processing|provider)|losses:(chargebacks|refunds))$');--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_returned" CHECK ("payments"."returned_cents" between 0 and "payments"."amount");--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_reversed" CHECK ("payouts"."reversed_cents" between 0 and "payouts"."amount");--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_unpaid" CHECK ("payouts"."status" not in ('owed', 'sending') or "payouts"."paid_at" is null);--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_status" CHECK ("payouts"."status" in ('owed', 'sending', 'paid', 'frozen', 'reversed', 'cancelled'));--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_paid" CHECK ("payouts"."status" <> 'paid' or "payouts"."paid_at" is not null);--> statement-breakpoint
-- Money that was returned early is no longer in escrow.
create or replace function payment_must_match_its_escrow() returns trigger language plpgsql as $$
declare
  held_cents bigint;
  due_cents bigint;
begin
  select coalesce(sum(amount_cents), 0) into held_cents from ledger_entries where account = 'escrow:' || new.id;
  due_cents := case
    when new.status in ('held_in_escrow', 'disputed', 'under_review') then new.amount - new.returned_cents
    else 0
  end;
  if held_cents <> due_cents then
    raise exception 'payment % is % with % cents in escrow', new.id, new.status, held_cents using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end
$$;
--> statement-breakpoint
create constraint trigger payments_match_returned
  after update of returned_cents on payments
  deferrable initially deferred
  for each row when (old.returned_cents <> new.returned_cents)
  execute function payment_must_match_its_escrow();
