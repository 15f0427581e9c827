CREATE INDEX CONCURRENTLY "users_bank_account_hash" ON "users" USING btree ("bank_account_hash") WHERE "users"."bank_account_hash" is not null;
