-- Whose a delivery is, and whether it is the last one of its event.
ALTER TABLE "webhook_deliveries" ADD COLUMN "app_id" TEXT, ADD COLUMN "environment" TEXT, ADD COLUMN "newest" BOOLEAN NOT NULL DEFAULT true;
UPDATE "webhook_deliveries" d SET "app_id" = e."app_id", "environment" = e."environment" FROM "webhook_events" e WHERE e."pk" = d."event_pk";
UPDATE "webhook_deliveries" d SET "newest" = false WHERE EXISTS (SELECT 1 FROM "webhook_deliveries" l WHERE l."event_pk" = d."event_pk" AND l."pk" > d."pk");
ALTER TABLE "webhook_deliveries" ALTER COLUMN "app_id" SET NOT NULL, ALTER COLUMN "environment" SET NOT NULL;

-- The event log by status, by event, and by time (also for its retention).
CREATE INDEX "webhook_deliveries_standing" ON "webhook_deliveries" ("app_id", "environment", "status", "event_pk") WHERE "newest";
CREATE INDEX "webhook_events_app_id_environment_webhook_event_pk_idx" ON "webhook_events"("app_id", "environment", "webhook_event", "pk");
CREATE INDEX "webhook_events_created_at_idx" ON "webhook_events"("created_at");
