-- What a request said at each time (ADR 93). Its current version is `wanted_items.version`.
create table request_versions (
  wanted_item_id integer not null,
  version integer not null,
  title text not null,
  description text not null,
  category text not null,
  min_budget numeric(12, 2) not null,
  max_budget numeric(12, 2) not null,
  images jsonb not null,
  created_at timestamptz(3) not null,
  constraint request_versions_pk primary key (wanted_item_id, version),
  constraint request_versions_number check (version > 0)
);
create index request_versions_pictures on request_versions
  using gin ((jsonb_path_query_array(images, '$[*].pictureUrl'))) where images <> '[]';

-- Existing requests get version 1 in the next migration. Existing offers answer it.
alter table wanted_items add version integer not null default 1;
alter table offers add request_version integer not null default 1;

create function record_first_versions() returns trigger language plpgsql as $$
begin
  insert into request_versions
  select id, version, title, description, category, min_budget, max_budget, images, created_at from added;
  return null;
end
$$;

create trigger wanted_items_first_version after insert on wanted_items
  referencing new table as added for each statement execute function record_first_versions();

-- A change makes a version. When only a copy of a picture arrives and no offer answers the version yet, it belongs to
-- the same version. After an offer, it makes one, because the offer was made without the picture.
create function record_version() returns trigger language plpgsql as $$
begin
  new.version := old.version;
  if (old.title, old.description, old.category, old.min_budget, old.max_budget, old.images)
    is not distinct from
    (new.title, new.description, new.category, new.min_budget, new.max_budget, new.images)
  then
    return new;
  end if;
  -- A request from before versions that the next migration has not reached yet.
  insert into request_versions values (old.id, old.version, old.title, old.description, old.category,
    old.min_budget, old.max_budget, old.images, old.created_at) on conflict do nothing;
  if (old.title, old.description, old.category, old.min_budget, old.max_budget)
    = (new.title, new.description, new.category, new.min_budget, new.max_budget)
    and same_pictures(old.images, new.images)
    and not exists (select from offers where wanted_item_id = old.id and request_version = old.version)
  then
    update request_versions set images = new.images where wanted_item_id = old.id and version = old.version;
    return new;
  end if;
  new.version := old.version + 1;
  insert into request_versions values (new.id, new.version, new.title, new.description, new.category,
    new.min_budget, new.max_budget, new.images, new.updated_at);
  return new;
end
$$;

-- Whether two lists have the same pictures as their owner entered them.
create function same_pictures(one jsonb, other jsonb) returns boolean language sql immutable as $$
  select jsonb_path_query_array(one, '$[*].url') = jsonb_path_query_array(other, '$[*].url')
    and jsonb_path_query_array(one, '$[*].alt') = jsonb_path_query_array(other, '$[*].alt')
$$;

-- Triggers run in the order of their names: after `wanted_items_update_images`.
create trigger wanted_items_version
  before update of title, description, category, min_budget, max_budget, images, image_url, version on wanted_items
  for each row execute function record_version();

-- Versions stay as they are, except for pictures: those of a deleted account are erased, and a version that no offer
-- answers loses those that its owner has removed.
create function request_versions_stay() returns trigger language plpgsql as $$
begin
  if (old.wanted_item_id, old.version, old.title, old.description, old.category, old.min_budget, old.max_budget,
      old.created_at)
    = (new.wanted_item_id, new.version, new.title, new.description, new.category, new.min_budget, new.max_budget,
      new.created_at)
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

create trigger request_versions_stay before update on request_versions
  for each row execute function request_versions_stay();

-- An offer answers the version that is current when it is made. The lock makes edits wait. Later only the seller can
-- confirm a pending offer on another version: a buyer must not change what the seller is about to accept.
create function offers_answer_version() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.request_version := coalesce(
      (select version from wanted_items where id = new.wanted_item_id for share), new.request_version);
  elsif old.request_version <> new.request_version
    and (old.status, new.status, new.proposed_by) <> ('pending', 'pending', 'seller')
  then
    raise exception 'offer % stays with its version of the request', new.id
      using errcode = 'check_violation', constraint = 'offers_answer_version';
  end if;
  return new;
end
$$;

create trigger offers_answer_version before insert or update of request_version on offers
  for each row execute function offers_answer_version();

-- Without the pictures that moderators have hidden.
create function shown_images(images jsonb) returns jsonb language sql stable as $$
  select case when images = '[]' then images else (
    select coalesce(jsonb_agg(image order by place), '[]')
    from jsonb_array_elements(images) with ordinality as listed (image, place)
    where not exists (
      select from files where files.id = substr(image ->> 'pictureUrl', length('/files/') + 1) and hidden_at is not null
    )
  ) end
$$;

-- The request as an offer answers it. From the acceptance on, this is what the deal is about.
create view offer_requests as
select offers.id as offer_id, answered.wanted_item_id, answered.version, answered.title, answered.description,
  answered.category, answered.min_budget, answered.max_budget, shown_images(answered.images) as images
from offers join request_versions answered
  on answered.wanted_item_id = offers.wanted_item_id and answered.version = offers.request_version;
