-- Starts retry workflows of deliveries whose first attempt has failed, the earliest due first.
-- $1 maximum number, $2 maximum per endpoint, $3 those that this process started in the last
-- second, by endpoint, $4 endpoints that may not start any now.
WITH oldest AS (
  SELECT pk, endpoint, row_number() OVER (PARTITION BY endpoint ORDER BY next_attempt_at, pk) AS place
  FROM (
    SELECT pk, endpoint, next_attempt_at FROM webhook_deliveries
    WHERE status = 'pending' AND attempts >= 1 AND NOT in_workflow AND next_attempt_at > '-infinity' AND endpoint <> ALL ($4::text[])
    ORDER BY next_attempt_at, pk
    LIMIT 20 * $1::int
  ) waiting
), chosen AS (
  SELECT d.pk FROM webhook_deliveries d
  WHERE d.pk = ANY (ARRAY(
          SELECT pk FROM oldest WHERE place <= $2::int - coalesce(($3::jsonb ->> endpoint)::int, 0) LIMIT $1::int))
    AND NOT d.in_workflow
  FOR NO KEY UPDATE SKIP LOCKED
), started AS (
  UPDATE webhook_deliveries d SET in_workflow = true WHERE d.pk = ANY (ARRAY(SELECT pk FROM chosen)) RETURNING d.pk, d.delivery_id, d.endpoint, d.trace_id
), commands AS (
  INSERT INTO outbox_commands (kind, payload, trace_id)
  SELECT 'startWebhookDelivery', jsonb_build_object('deliveryId', delivery_id), trace_id FROM started ORDER BY pk
)
SELECT endpoint FROM started;
