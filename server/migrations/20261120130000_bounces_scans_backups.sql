-- Bounces and complaints that mail services reported, each handled once.
create table mail_events (
  id text primary key,
  received_at timestamptz(3) not null default now()
);
create index mail_events_received_at on mail_events (received_at);

-- A file is held back until the virus scanner has found it clean. `infection` is what it found instead.
alter table files add column held_at timestamptz(3);
alter table files add column infection text;

-- Each finished run of `npm run backup`.
create table backups (
  name text primary key,
  finished_at timestamptz(3) not null default now()
);
alter table installation add column created_at timestamptz(3) not null default now();
