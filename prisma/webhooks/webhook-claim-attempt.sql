-- $1 now, $2 leased until, $3 attempts at a time per endpoint, $4 pk of the delivery, $5 its endpoint.
WITH due AS (
  SELECT d.* FROM webhook_deliveries d
  WHERE d.pk = $4::bigint AND d.status = 'pending' AND d.next_attempt_at <= $1::timestamptz
    AND NOT EXISTS (SELECT 1 FROM webhook_leases l WHERE l.delivery_pk = d.pk AND l.leased_until > $1::timestamptz)
), taken AS (
  -- A later attempt holds one slot, in its own name.
  INSERT INTO webhook_leases (delivery_pk, endpoint, leased_by, slots, leased_until)
  SELECT pk, endpoint, -pk, 1, $2::timestamptz FROM due
  WHERE (SELECT coalesce(sum(least(h.n, h.slots)), 0) FROM (
          SELECT count(*) AS n, max(b.slots) AS slots FROM webhook_leases b
          WHERE b.endpoint = $5::text AND b.leased_until > $1::timestamptz GROUP BY b.leased_by) h) < $3::int
  ON CONFLICT (delivery_pk) DO UPDATE SET leased_by = excluded.leased_by, slots = excluded.slots, leased_until = excluded.leased_until
  RETURNING delivery_pk
)
SELECT d.pk, d.delivery_id, d.url, d.endpoint, d.attempts, d.first_attempt_at, d.shift_ms, 1 AS slots,
       e.event_id, e.link_id, e.webhook_event, e.idempotency_key, e.app_id, e.environment, e.format, e.body, e.sealed_body
FROM taken t JOIN due d ON d.pk = t.delivery_pk
-- OFFSET keeps it a look-up for each row.
CROSS JOIN LATERAL (SELECT * FROM webhook_events e WHERE e.pk = d.event_pk OFFSET 0) e;
