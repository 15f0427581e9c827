CREATE TABLE "suppressed_emails" (
	"address" text PRIMARY KEY NOT NULL,
	"refused_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "suppressed_emails_address" CHECK ("suppressed_emails"."address" = lower("suppressed_emails"."address"))
);
--> statement-breakpoint
CREATE INDEX "suppressed_emails_refused" ON "suppressed_emails" USING btree ("refused_at");