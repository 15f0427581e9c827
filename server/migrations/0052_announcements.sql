CREATE TABLE "announcements" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "announcements_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"transaction_id" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"channel" text NOT NULL,
	"payload" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "installation" ADD COLUMN "announcements_read_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "announcements_transaction" ON "announcements" USING btree ("transaction_id");--> statement-breakpoint
-- Notifies the processes that listen, and stores the announcement for those that cannot, if there were any in the last minute.
create function announce(channel text, payload text) returns void language plpgsql as $$
begin
  perform pg_notify(channel, payload);
  if exists (select from installation where announcements_read_at > now() - interval '1 minute') then
    insert into announcements (channel, payload) values (channel, payload);
  end if;
end
$$;
--> statement-breakpoint
create or replace function tell_session_ended() returns trigger language plpgsql as $$
begin
  perform announce('session_ended', old.sid);
  return null;
end
$$;
