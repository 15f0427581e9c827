CREATE TABLE "installation" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "installation_one_row" ON "installation" USING btree ((true));--> statement-breakpoint
INSERT INTO "installation" DEFAULT VALUES;--> statement-breakpoint
-- Existing payments get the currency of this deployment (see migrate.ts). The default is for processes of the
-- version before, which may still be running and have the same CURRENCY.
DO $$
BEGIN
  EXECUTE format(
    'ALTER TABLE "payments" ADD COLUMN "currency" text NOT NULL DEFAULT %L',
    coalesce(nullif(current_setting('sought.currency', true), ''), 'usd')
  );
END
$$;
