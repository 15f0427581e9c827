-- Where the buyer paid from. Banks ask for it in chargebacks.
alter table payments add column purchase_ip text;
