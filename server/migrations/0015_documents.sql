CREATE TABLE "documents" (
	"series" text NOT NULL,
	"sequence" integer NOT NULL,
	"payment_id" integer,
	"seller_id" text,
	"month" text,
	"issued_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "documents_series_sequence_pk" PRIMARY KEY("series","sequence"),
	CONSTRAINT "documents_sequence" CHECK ("documents"."sequence" > 0),
	CONSTRAINT "documents_kind" CHECK (case when "documents"."payment_id" is not null then "documents"."series" ~ '^R-[0-9]{4}$' and num_nulls("documents"."seller_id", "documents"."month") = 2 else num_nulls("documents"."seller_id", "documents"."month") = 0 and "documents"."series" = 'S-' || "documents"."month" end)
);
--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "documents_receipt_unique" ON "documents" USING btree ("payment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "documents_statement_unique" ON "documents" USING btree ("seller_id","month");--> statement-breakpoint
-- Numbers follow each other without a gap, and stay as they were issued (ADR 40).
create function document_must_follow() returns trigger language plpgsql as $$
begin
  if new.sequence > 1 and not exists (
    select from documents where series = new.series and sequence = new.sequence - 1
  ) then
    raise exception 'number % of series % would leave a gap', new.sequence, new.series using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;
--> statement-breakpoint
create trigger documents_follow
  before insert on documents
  for each row execute function document_must_follow();
--> statement-breakpoint
create function documents_are_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'issued documents are never changed or removed' using errcode = 'integrity_constraint_violation';
end
$$;
--> statement-breakpoint
create trigger documents_append_only
  before update or delete or truncate on documents
  for each statement execute function documents_are_append_only();
