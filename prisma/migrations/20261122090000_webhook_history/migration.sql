-- The attempts of a delivery are few and always read with it: they stand in its row, which each of them writes anyway.
ALTER TABLE "webhook_deliveries" ADD COLUMN "history" JSONB NOT NULL DEFAULT '[]';
UPDATE "webhook_deliveries" d SET "history" = made."history"
FROM (
  SELECT a."delivery_pk", jsonb_agg(jsonb_build_object(
    'attempt', a."attempt", 'startedAt', to_char(a."started_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'durationMs', a."duration_ms",
    'httpStatus', a."http_status", 'error', a."error", 'responseExcerpt', a."response_excerpt") ORDER BY a."pk") AS "history"
  FROM "webhook_attempts" a GROUP BY a."delivery_pk") made
WHERE made."delivery_pk" = d."pk";
DROP TABLE "webhook_attempts";
