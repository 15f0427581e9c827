CREATE INDEX CONCURRENTLY "payments_card" ON "payments" USING btree ("card_fingerprint") WHERE "payments"."card_fingerprint" is not null;
