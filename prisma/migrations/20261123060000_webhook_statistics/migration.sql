-- Busy tables are analyzed every minute, which takes as many rows as the column that wants most of them, and sorts each
-- column by itself: 1 s of processor time with 100,000 events, beside the deliveries under way. Only what statements look
-- for needs statistics, and few: its values are few, or all of one kind.
ALTER TABLE "webhook_events"
  ALTER COLUMN "pk" SET STATISTICS 20,
  ALTER COLUMN "event_id" SET STATISTICS 0,
  ALTER COLUMN "app_id" SET STATISTICS 20,
  ALTER COLUMN "environment" SET STATISTICS 20,
  ALTER COLUMN "link_id" SET STATISTICS 20,
  ALTER COLUMN "webhook_event" SET STATISTICS 20,
  ALTER COLUMN "idempotency_key" SET STATISTICS 0,
  ALTER COLUMN "origin" SET STATISTICS 0,
  ALTER COLUMN "format" SET STATISTICS 0,
  ALTER COLUMN "body" SET STATISTICS 0,
  ALTER COLUMN "sealed_body" SET STATISTICS 0,
  ALTER COLUMN "body_sha256" SET STATISTICS 0,
  ALTER COLUMN "created_at" SET STATISTICS 20;
ALTER TABLE "webhook_deliveries"
  ALTER COLUMN "pk" SET STATISTICS 20,
  ALTER COLUMN "delivery_id" SET STATISTICS 0,
  ALTER COLUMN "event_pk" SET STATISTICS 20,
  ALTER COLUMN "app_id" SET STATISTICS 20,
  ALTER COLUMN "environment" SET STATISTICS 20,
  ALTER COLUMN "newest" SET STATISTICS 20,
  ALTER COLUMN "url" SET STATISTICS 0,
  ALTER COLUMN "endpoint" SET STATISTICS 20,
  ALTER COLUMN "reason" SET STATISTICS 20,
  ALTER COLUMN "status" SET STATISTICS 20,
  ALTER COLUMN "attempts" SET STATISTICS 20,
  ALTER COLUMN "history" SET STATISTICS 0,
  ALTER COLUMN "first_attempt_at" SET STATISTICS 0,
  ALTER COLUMN "last_attempt_at" SET STATISTICS 0,
  ALTER COLUMN "next_attempt_at" SET STATISTICS 20,
  ALTER COLUMN "shift_ms" SET STATISTICS 0,
  ALTER COLUMN "in_workflow" SET STATISTICS 20,
  ALTER COLUMN "created_at" SET STATISTICS 20;
ALTER TABLE "webhook_leases"
  ALTER COLUMN "delivery_pk" SET STATISTICS 20,
  ALTER COLUMN "endpoint" SET STATISTICS 20,
  ALTER COLUMN "leased_by" SET STATISTICS 20,
  ALTER COLUMN "slots" SET STATISTICS 20,
  ALTER COLUMN "leased_until" SET STATISTICS 20;
