-- Times are asked for app by app, and the log ends app by app.
DROP INDEX "webhook_events_created_at_idx";
CREATE INDEX "webhook_events_app_id_environment_created_at_pk_idx" ON "webhook_events"("app_id", "environment", "created_at", "pk");
