-- The method by the provider's name, and until when a submitted payment waits for its money (ADR 98). Null for payments
-- that were submitted before methods were recorded, and the first two also for drafts.
alter table payments
  add column method text,
  add column waiting_until timestamptz(3),
  add column waits_for text;
alter table payments add constraint payments_method check (method ~ '^[a-z0-9_]{1,50}$') not valid;
alter table payments add constraint payments_waits_for check (
  (waits_for is null) = (waiting_until is null)
  and waits_for in ('buyer', 'bank')
  and (waiting_until is null or method is not null and submitted_at is not null)
) not valid;

-- A payment that waits for its money reserves the request like one in escrow.
create or replace function payments_one_per_request() returns trigger language plpgsql as $$
begin
  perform from wanted_items where id = new.wanted_item_id for update;
  if exists (
    select from payments
    where wanted_item_id = new.wanted_item_id and id <> new.id
      and (status in ('held_in_escrow', 'disputed', 'under_review') or status = 'pending' and waiting_until is not null)
  ) then
    raise exception 'request % has a payment in escrow already', new.wanted_item_id
      using errcode = 'unique_violation', constraint = 'payments_one_per_request';
  end if;
  return new;
end
$$;

create trigger payments_one_waits
  before update of waiting_until on payments
  for each row
  when (old.waiting_until is null and new.waiting_until is not null)
  execute function payments_one_per_request();

create or replace function wanted_items_reserved() returns trigger language plpgsql as $$
begin
  if (old.title, old.description, old.category, old.min_budget, old.max_budget, old.location, old.urgency, old.image_url)
    is distinct from
    (new.title, new.description, new.category, new.min_budget, new.max_budget, new.location, new.urgency, new.image_url)
    or jsonb_path_query_array(old.images, '$[*].url') <> jsonb_path_query_array(new.images, '$[*].url')
    or jsonb_path_query_array(old.images, '$[*].alt') <> jsonb_path_query_array(new.images, '$[*].alt')
    or new.status in ('open', 'expired', 'closed') and exists (
      select from payments
      where wanted_item_id = new.id
        and (status in ('held_in_escrow', 'disputed', 'under_review') or status = 'pending' and waiting_until is not null)
    )
  then
    raise exception 'request % is reserved', new.id
      using errcode = 'check_violation', constraint = 'wanted_items_reserved';
  end if;
  return new;
end
$$;
