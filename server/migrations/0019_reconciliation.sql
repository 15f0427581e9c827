CREATE TABLE "provider_transactions" (
	"id" text PRIMARY KEY NOT NULL,
	"payment_id" integer,
	"kind" text NOT NULL,
	"type" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"fee_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "provider_transactions_kind" CHECK ("provider_transactions"."kind" in ('charge', 'refund', 'dispute', 'transfer', 'own', 'other'))
);
--> statement-breakpoint
CREATE TABLE "reconciliation_differences" (
	"key" text PRIMARY KEY NOT NULL,
	"day" date NOT NULL,
	"transaction_id" text,
	"payment_id" integer,
	"currency" text NOT NULL,
	"expected_cents" bigint NOT NULL,
	"actual_cents" bigint NOT NULL,
	"text" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reconciliations" (
	"day" date PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone NOT NULL,
	"transactions" integer NOT NULL,
	"differences" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "mails" DROP CONSTRAINT "mails_kind";--> statement-breakpoint
ALTER TABLE "provider_transactions" ADD CONSTRAINT "provider_transactions_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reconciliation_differences" ADD CONSTRAINT "reconciliation_differences_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "provider_transactions_payment" ON "provider_transactions" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "provider_transactions_created" ON "provider_transactions" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "provider_transactions_own" ON "provider_transactions" USING btree ("created_at") WHERE "provider_transactions"."kind" = 'own';--> statement-breakpoint
CREATE INDEX "provider_transactions_unassigned" ON "provider_transactions" USING btree ("id") WHERE "provider_transactions"."payment_id" is null and "provider_transactions"."kind" <> 'own';--> statement-breakpoint
CREATE INDEX "reconciliation_differences_payment" ON "reconciliation_differences" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_provider" ON "ledger_entries" USING btree ("created_at") WHERE "ledger_entries"."account" = 'provider';--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_kind" CHECK ("mails"."kind" in ('message', 'offer_made', 'offer_accepted', 'offer_rejected', 'offer_countered', 'payment_held', 'delivery_confirmed', 'funds_released', 'escrow_ending', 'dispute_opened', 'dispute_answered', 'dispute_ruled', 'verify_email', 'reset_password', 'email_changed', 'password_changed', 'reconciliation_differences'));