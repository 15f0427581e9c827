ALTER TABLE "users" VALIDATE CONSTRAINT "users_buyer_rating";
