ALTER TABLE "wanted_items" VALIDATE CONSTRAINT "wanted_items_hidden";
