-- Replays that have not begun: by the time they start, and range by range: those of one range were made at the same moment.
CREATE INDEX "webhook_deliveries_replays" ON "webhook_deliveries" ("next_attempt_at") WHERE "status" = 'pending' AND "attempts" = 0 AND "reason" = 'replay';
CREATE INDEX "webhook_deliveries_ranges" ON "webhook_deliveries" ("app_id", "environment", "created_at", "pk") WHERE "status" = 'pending' AND "attempts" = 0 AND "reason" = 'replay';
