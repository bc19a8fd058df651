-- Claims the next attempt of one delivery. The caller holds the claim lock.
-- $1 now, $2 end of the lease, $3 attempts at a time per endpoint, $4 pk of the delivery, $5 its endpoint.
WITH due AS (
  SELECT d.* FROM webhook_deliveries d
  WHERE d.pk = $4::bigint AND d.status = 'pending' AND d.next_attempt_at <= $1::timestamptz
    AND NOT EXISTS (SELECT 1 FROM webhook_leases l WHERE l.delivery_pk = d.pk AND l.leased_until > $1::timestamptz)
    AND (SELECT count(*) FROM webhook_leases l WHERE l.endpoint = $5::text AND l.leased_until > $1::timestamptz) < $3::int
), leased AS (
  INSERT INTO webhook_leases (delivery_pk, endpoint, leased_until)
  SELECT pk, endpoint, $2::timestamptz FROM due
  ON CONFLICT (delivery_pk) DO UPDATE SET leased_until = excluded.leased_until
)
SELECT d.pk, d.delivery_id AS "deliveryId", d.url, d.endpoint, d.attempts + 1 AS attempt, d.first_attempt_at AS "firstAttemptAt",
       d.shift_ms AS "shiftMs", d.trace_id AS "traceId", e.event_id AS "eventId", e.link_id AS "linkId", e.webhook_event AS "webhookEvent",
       e.idempotency_key AS "idempotencyKey", e.app_id AS "appId", e.environment, e.format, e.body, e.sealed_body AS "sealedBody"
-- OFFSET keeps it a lookup for each row.
FROM due d CROSS JOIN LATERAL (SELECT * FROM webhook_events e WHERE e.pk = d.event_pk OFFSET 0) e;
