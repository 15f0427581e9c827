alter table payments add column hold_extended boolean not null default false;
