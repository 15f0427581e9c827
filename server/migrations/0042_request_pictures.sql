ALTER TABLE "wanted_items" DROP CONSTRAINT "wanted_items_image_copy";--> statement-breakpoint
DROP INDEX "wanted_items_picture";--> statement-breakpoint
DROP INDEX "wanted_items_picture_due";--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "width_pixels" integer;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "height_pixels" integer;--> statement-breakpoint
ALTER TABLE "wanted_items" ADD COLUMN "images" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
-- Without the triggers, which would compare the words of each request: none of them changes.
ALTER TABLE "wanted_items" DISABLE TRIGGER USER;--> statement-breakpoint
update wanted_items set images = jsonb_build_array(jsonb_build_object(
  'url', image_url, 'alt', '', 'pictureUrl', picture_url, 'width', null, 'height', null
))
where image_url is not null;
--> statement-breakpoint
ALTER TABLE "wanted_items" ENABLE TRIGGER USER;--> statement-breakpoint
ALTER TABLE "wanted_items" DROP COLUMN "picture_url";--> statement-breakpoint
ALTER TABLE "wanted_items" DROP COLUMN "image_copy_url";--> statement-breakpoint
ALTER TABLE "wanted_items" ADD COLUMN "picture_url" text GENERATED ALWAYS AS (images -> 0 ->> 'pictureUrl') STORED;--> statement-breakpoint
-- Dropping the column has dropped its indexes.
CREATE INDEX "wanted_items_open_pictured" ON "wanted_items" USING btree ("position") WHERE "wanted_items"."status" = 'open' and "wanted_items"."picture_url" is not null;--> statement-breakpoint
CREATE INDEX "wanted_items_open_unpictured" ON "wanted_items" USING btree ("position") WHERE "wanted_items"."status" = 'open' and "wanted_items"."picture_url" is null;--> statement-breakpoint
CREATE INDEX "wanted_items_pictures" ON "wanted_items" USING gin ((jsonb_path_query_array(images, '$[*].pictureUrl'))) WHERE "wanted_items"."images" <> '[]';--> statement-breakpoint
CREATE INDEX "wanted_items_picture_due" ON "wanted_items" USING btree ("picture_try_at") WHERE jsonb_path_exists(images, '$[*] ? (@.pictureUrl == null)') and "wanted_items"."picture_attempts" < 5;--> statement-breakpoint
ALTER TABLE "wanted_items" ADD CONSTRAINT "wanted_items_images" CHECK (jsonb_typeof("wanted_items"."images") = 'array' and jsonb_array_length("wanted_items"."images") <= 6);--> statement-breakpoint
ALTER TABLE "wanted_items" ADD CONSTRAINT "wanted_items_image_copies" CHECK (not jsonb_path_exists("wanted_items"."images", '$[*] ? (@.pictureUrl != null && !(@.pictureUrl starts with "/files/"))'));--> statement-breakpoint
-- Whoever writes only `image_url` sets the first picture, and the others stay. Whoever writes `images` also sets
-- `image_url`.
create function set_images() returns trigger language plpgsql as $$
begin
  if new.images = (case tg_op when 'INSERT' then '[]' else old.images end)
    and new.image_url is distinct from (case tg_op when 'UPDATE' then old.image_url end)
  then
    new.images := case
      when new.image_url is null then '[]'
      else jsonb_build_array(jsonb_build_object(
        'url', new.image_url,
        'alt', '',
        'pictureUrl', case when new.image_url like '/files/%' then new.image_url end,
        'width', null,
        'height', null
      )) || (new.images - 0)
    end;
    new.picture_attempts := 0;
  end if;
  new.image_url := new.images -> 0 ->> 'url';
  return new;
end
$$;
--> statement-breakpoint
create trigger wanted_items_insert_images before insert on wanted_items
  for each row execute function set_images();
--> statement-breakpoint
create trigger wanted_items_update_images before update of images, image_url on wanted_items
  for each row execute function set_images();
--> statement-breakpoint
-- Our copies of pictures may still arrive.
create or replace function wanted_items_reserved() returns trigger language plpgsql as $$
begin
  if (old.title, old.description, old.category, old.min_budget, old.max_budget, old.location, old.urgency, old.image_url)
    is distinct from
    (new.title, new.description, new.category, new.min_budget, new.max_budget, new.location, new.urgency, new.image_url)
    or jsonb_path_query_array(old.images, '$[*].url') <> jsonb_path_query_array(new.images, '$[*].url')
    or jsonb_path_query_array(old.images, '$[*].alt') <> jsonb_path_query_array(new.images, '$[*].alt')
    or new.status in ('open', 'expired', 'closed') and exists (
      select from payments
      where wanted_item_id = new.id and status in ('held_in_escrow', 'disputed', 'under_review')
    )
  then
    raise exception 'request % is reserved', new.id
      using errcode = 'check_violation', constraint = 'wanted_items_reserved';
  end if;
  return new;
end
$$;
