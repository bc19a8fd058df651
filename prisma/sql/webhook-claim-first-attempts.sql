-- $1 now, $2 leased until, $3 attempts at a time per endpoint, $4 limit.
-- Visits each endpoint with waiting first attempts once, by the index, and takes no more of it than it has free slots:
-- the backlog of a dead endpoint is neither read nor claimed. webhooks 8.2: the cap; 8.3: in the order of creation.
WITH RECURSIVE waiting AS (
  (SELECT endpoint FROM webhook_deliveries WHERE status = 'pending' AND attempts = 0 AND endpoint IS NOT NULL ORDER BY endpoint LIMIT 1)
  UNION ALL
  SELECT (SELECT d.endpoint FROM webhook_deliveries d
          WHERE d.status = 'pending' AND d.attempts = 0 AND d.endpoint > w.endpoint ORDER BY d.endpoint LIMIT 1)
  FROM waiting w WHERE w.endpoint IS NOT NULL
), free AS (
  SELECT w.endpoint, $3::int - (SELECT count(*) FROM webhook_deliveries b WHERE b.endpoint = w.endpoint AND b.leased_until > $1::timestamptz) AS slots
  FROM waiting w WHERE w.endpoint IS NOT NULL
), chosen AS (
  SELECT due.pk
  FROM free CROSS JOIN LATERAL (
    SELECT d.pk FROM webhook_deliveries d
    WHERE d.endpoint = free.endpoint AND d.status = 'pending' AND d.attempts = 0
      AND d.next_attempt_at <= $1::timestamptz AND (d.leased_until IS NULL OR d.leased_until <= $1::timestamptz)
    ORDER BY d.pk
    LIMIT greatest(free.slots, 0)
    FOR NO KEY UPDATE SKIP LOCKED
  ) due
  ORDER BY due.pk
  LIMIT $4::int
), claimed AS (
  UPDATE webhook_deliveries d SET leased_until = $2::timestamptz FROM chosen WHERE d.pk = chosen.pk
  RETURNING d.*
)
SELECT c.pk, c.delivery_id, c.url, c.attempts, c.first_attempt_at, c.shift_ms,
       e.event_id, e.link_id, e.webhook_event, e.idempotency_key, e.body
FROM claimed c JOIN webhook_events e ON e.pk = c.event_pk
ORDER BY c.pk;
