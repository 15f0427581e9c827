ALTER TABLE "users" ADD COLUMN "selling_keywords" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "selling_categories" text[] DEFAULT '{}' NOT NULL;