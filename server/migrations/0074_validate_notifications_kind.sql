ALTER TABLE "notifications" VALIDATE CONSTRAINT "notifications_kind";
