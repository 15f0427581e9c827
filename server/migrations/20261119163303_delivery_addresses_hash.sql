create index concurrently delivery_addresses_hash on delivery_addresses (address_hash) where address_hash is not null;
