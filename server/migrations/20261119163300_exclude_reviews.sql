-- Reviews from before keep counting. They are not checked again.
alter table reviews add column excluded text;
alter table reviews add column recheck_at timestamptz(3);
alter table reviews add constraint reviews_excluded check (excluded in ('small_deal', 'related')) not valid;
-- Addresses from before have a hash once they are saved again.
alter table delivery_addresses add column address_hash text;
alter table payments add column address_hash text;
