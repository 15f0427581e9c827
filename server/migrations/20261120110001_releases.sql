-- Which versions have migrated this database.
create table releases (
  version text primary key,
  created_at timestamptz(3) not null default now()
);
