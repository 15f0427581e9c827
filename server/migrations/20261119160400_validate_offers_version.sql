alter table offers validate constraint offers_request_version;
