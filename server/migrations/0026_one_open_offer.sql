-- Of several open offers of a seller on a request, the newest stays open.
update offers set status = 'withdrawn', withdrawn_at = now(), updated_at = now()
where status = 'pending' and exists (
  select from offers newer
  where newer.wanted_item_id = offers.wanted_item_id
    and newer.seller_id = offers.seller_id
    and newer.proposed_by = offers.proposed_by
    and newer.status = 'pending'
    and newer.id > offers.id
);--> statement-breakpoint
CREATE UNIQUE INDEX "offers_one_open" ON "offers" USING btree ("wanted_item_id","seller_id","proposed_by") WHERE "offers"."status" = 'pending';
