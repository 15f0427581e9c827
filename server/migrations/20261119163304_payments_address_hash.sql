create index concurrently payments_address_hash on payments (address_hash) where address_hash is not null;
