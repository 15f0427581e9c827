-- A deal is in one currency: that of its request.
alter table offers add constraint offers_terms unique using index offers_terms;
alter table payments add constraint payments_currency unique using index payments_currency;
alter table wanted_items add constraint wanted_items_currency unique using index wanted_items_currency;
alter table wanted_items add constraint wanted_items_currency_code check (currency ~ '^[a-z]{3}$') not valid;

alter table payments add constraint payments_offer_terms foreign key
    (offer_id, wanted_item_id, buyer_id, seller_id, amount, currency)
    references offers (id, wanted_item_id, buyer_id, seller_id, amount, currency) not valid;

-- Never validated: before, CURRENCY could change between two deals about one request. So the key without currency stays.
alter table offers add constraint offers_request_currency foreign key (wanted_item_id, currency)
    references wanted_items (id, currency) not valid;

alter table payouts add constraint payouts_payment_currency foreign key (payment_id, currency)
    references payments (id, currency) not valid;
alter table debts add constraint debts_payment_currency foreign key (payment_id, currency)
    references payments (id, currency) not valid;
alter table payment_refunds add constraint payment_refunds_payment_currency foreign key (payment_id, currency)
    references payments (id, currency) not valid;
alter table chargebacks add constraint chargebacks_payment_currency foreign key (payment_id, currency)
    references payments (id, currency) not valid;
alter table goodwill_payments add constraint goodwill_payments_payment_currency foreign key (payment_id, currency)
    references payments (id, currency) not valid;

-- A request in another currency is another version.
drop trigger wanted_items_version on wanted_items;
create trigger wanted_items_version
  before update of title, description, category, min_budget, max_budget, currency, images, image_url, version
  on wanted_items for each row execute function record_version();

create or replace function request_versions_stay() returns trigger language plpgsql as $$
begin
  if (old.wanted_item_id, old.version, old.title, old.description, old.category, old.min_budget, old.max_budget,
      old.currency, old.created_at)
    = (new.wanted_item_id, new.version, new.title, new.description, new.category, new.min_budget, new.max_budget,
      new.currency, new.created_at)
    and (new.images = '[]' or (same_pictures(old.images, new.images) or old.images @> new.images) and not exists (
      select from offers where wanted_item_id = old.wanted_item_id and request_version = old.version
    ))
  then
    return new;
  end if;
  raise exception 'version % of request % cannot be changed', old.version, old.wanted_item_id
    using errcode = 'check_violation', constraint = 'request_versions_stay';
end
$$;
