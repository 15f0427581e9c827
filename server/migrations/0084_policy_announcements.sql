ALTER TABLE "policy_versions" ADD COLUMN "announced_up_to" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "policy_versions" ADD COLUMN "announced_at" timestamp (3) with time zone;