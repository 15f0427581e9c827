-- The keys in use, so that a process with other keys does not start.
create table key_checks (
  name text primary key,
  key_check text not null,
  since timestamptz(3) not null default now()
);

-- The running processes, with the first keys of their lists.
create table running_processes (
  id uuid primary key,
  key_checks text[] not null,
  seen_at timestamptz(3) not null default now()
);
