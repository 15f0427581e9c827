-- Which process passes announcements on, and up to which transactions it did (ADR 107).
alter table installation add column notifier text;
alter table installation add column notified_at timestamptz(3);
alter table installation add column notified_until text;

-- NOTIFY in the transaction itself is for a market where only processes of the previous release run: nobody would
-- pass the announcement on.
create or replace function announce(channel text, payload text) returns void language plpgsql as $$
begin
  insert into announcements (channel, payload) values (channel, payload);
  if not exists (select from installation where notified_at > now() - interval '10 seconds') then
    perform pg_catalog.pg_notify(channel, payload);
  end if;
end
$$;
