alter table request_versions add constraint request_versions_wanted_item_id_wanted_items_id_fk
  foreign key (wanted_item_id) references wanted_items (id) on delete cascade not valid;
-- Deferred, so that one statement can insert a request with its offers.
alter table offers add constraint offers_request_version
  foreign key (wanted_item_id, request_version) references request_versions (wanted_item_id, version)
  deferrable initially deferred not valid;
