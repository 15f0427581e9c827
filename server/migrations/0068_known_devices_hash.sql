CREATE INDEX CONCURRENTLY "known_devices_hash" ON "known_devices" USING btree ("hash");
