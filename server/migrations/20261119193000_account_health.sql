-- What the card provider says about the connected accounts of sellers.
create table payout_accounts (
  user_id text primary key,
  account_id text not null,
  details_submitted boolean not null default false,
  can_receive boolean not null default false,
  disabled_reason text,
  requirements jsonb not null default '[]',
  last_payout jsonb,
  read_at timestamptz(3),
  check_at timestamptz(3),
  closed_at timestamptz(3),
  constraint payout_accounts_user_id_users_id_fk foreign key (user_id) references users (id)
);
create index payout_accounts_check on payout_accounts (check_at);

-- The sweep asks the provider about the accounts from before.
insert into payout_accounts (user_id, account_id, check_at)
select id, stripe_connect_account_id, now() from users where stripe_connect_account_id is not null;

-- Why the seller's bank returned a payout that reached the account.
alter table payouts add column bank_failure text;
