-- $1 now, $2 leased until, $3 attempts at a time per endpoint, $4 pk of the delivery.
WITH claimed AS (
  UPDATE webhook_deliveries d SET leased_until = $2::timestamptz
  WHERE d.pk = $4::bigint AND d.status = 'pending' AND d.next_attempt_at <= $1::timestamptz
    AND (d.leased_until IS NULL OR d.leased_until <= $1::timestamptz)
    AND (SELECT count(*) FROM webhook_deliveries b WHERE b.endpoint = d.endpoint AND b.leased_until > $1::timestamptz) < $3::int
  RETURNING d.*
)
SELECT c.pk, c.delivery_id, c.url, c.attempts, c.first_attempt_at, c.shift_ms,
       e.event_id, e.link_id, e.webhook_event, e.idempotency_key, e.body
FROM claimed c JOIN webhook_events e ON e.pk = c.event_pk;
