CREATE TABLE "fraud_signals" (
	"id" text PRIMARY KEY NOT NULL,
	"payment_id" integer NOT NULL,
	"kind" text NOT NULL,
	"reason" text NOT NULL,
	"opened_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"dismissed_at" timestamp (3) with time zone,
	CONSTRAINT "fraud_signals_kind" CHECK ("fraud_signals"."kind" in ('fraud_warning', 'review'))
);
--> statement-breakpoint
DROP INDEX "payments_disputes";--> statement-breakpoint
DROP INDEX "payments_disputes_by_status";--> statement-breakpoint
DROP INDEX "payments_dispute_words";--> statement-breakpoint
ALTER TABLE "chargebacks" ADD COLUMN "outcome" text DEFAULT 'open' NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "charged_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "needs_check" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "bank_ruling" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "desk_status" text GENERATED ALWAYS AS (case
    when status in ('disputed', 'under_review') then status
    when bank_decides then 'disputed'
    when status = 'held_in_escrow' and (needs_check or escalated_at is not null) then 'disputed'
    when status = 'completed' then bank_ruling
    when status not in ('pending', 'held_in_escrow', 'completed') then status
  end) STORED;--> statement-breakpoint
ALTER TABLE "fraud_signals" ADD CONSTRAINT "fraud_signals_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "fraud_signals_payment" ON "fraud_signals" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "payments_in_escrow" ON "payments" USING btree ("charged_at") WHERE "payments"."status" in ('held_in_escrow', 'disputed', 'under_review') and "payments"."escalated_at" is null;--> statement-breakpoint
CREATE INDEX "payments_disputes" ON "payments" USING btree ("id") WHERE "payments"."desk_status" is not null;--> statement-breakpoint
CREATE INDEX "payments_disputes_by_status" ON "payments" USING btree ("desk_status","id") WHERE "payments"."desk_status" is not null;--> statement-breakpoint
CREATE INDEX "payments_dispute_words" ON "payments" USING gin ("dispute_words" gin_trgm_ops) WHERE "payments"."desk_status" is not null;--> statement-breakpoint
ALTER TABLE "chargebacks" ADD CONSTRAINT "chargebacks_outcome" CHECK ("chargebacks"."outcome" in ('open', 'won', 'lost', 'closed', 'prevented'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_bank_ruling" CHECK ("payments"."bank_ruling" in ('resolved_buyer', 'resolved_seller', 'resolved_partial'));--> statement-breakpoint
update payments set charged_at = ledger_entries.created_at
from ledger_entries
where ledger_entries.key = 'hold:' || payments.id and ledger_entries.account = 'provider';
--> statement-breakpoint
update chargebacks set outcome = case status when 'warning_closed' then 'closed' else status end
where closed_at is not null;
