-- $1 now, $2 milliseconds between two starts. Ranges with a replay that is overdue: what has not begun of them starts from
-- now, in the order of creation. The deliveries of one range were made at the same moment.
WITH late AS (
  SELECT DISTINCT app_id, environment, created_at FROM webhook_deliveries
  WHERE reason = 'replay' AND status = 'pending' AND attempts = 0 AND next_attempt_at < $1::timestamptz
), placed AS (
  SELECT d.pk, row_number() OVER (PARTITION BY d.app_id, d.environment, d.created_at ORDER BY d.pk) - 1 AS place
  FROM late JOIN webhook_deliveries d ON d.app_id = late.app_id AND d.environment = late.environment AND d.created_at = late.created_at
  WHERE d.reason = 'replay' AND d.status = 'pending' AND d.attempts = 0
    AND NOT EXISTS (SELECT 1 FROM webhook_leases l WHERE l.delivery_pk = d.pk AND l.leased_until > $1::timestamptz)
)
UPDATE webhook_deliveries d SET next_attempt_at = $1::timestamptz + placed.place * $2::int * interval '1 millisecond'
FROM placed WHERE d.pk = placed.pk AND d.status = 'pending' AND d.attempts = 0;
