-- The part of a claim of first attempts that comes after `visited`, the endpoints, and `journey`, which says where the next
-- visit begins. $1 now, $2 leased until, $3 attempts at a time per endpoint, $4 limit, $5 who claims, $6 endpoints that answer
-- quickly, $7 deliveries to hold of each of those, $8 what the caller may hold of one app and environment, $9 how much
-- it holds of each, by `app/environment`.
-- Takes no more of an endpoint than it may have under way, by the index: the backlog of a dead one is neither read nor
-- claimed. webhooks 8.2: the cap; 8.3: in the order of creation.
-- Of a quick endpoint more are taken than are made at a time, so that its slots are never empty; `slots` bounds these.
held AS (
  SELECT w.endpoint, coalesce(sum(h.n) FILTER (WHERE h.leased_by = $5::bigint), 0)::int AS mine,
         -- Two slots stay free for later attempts that are due, or a backlog would keep them out. A look-up for each endpoint:
         -- as EXISTS, those of all endpoints would be read first.
         $3::int - coalesce(sum(least(h.n, h.slots)) FILTER (WHERE h.leased_by <> $5::bigint), 0)::int
           - CASE WHEN (SELECT true FROM webhook_deliveries r WHERE r.endpoint = w.endpoint AND r.status = 'pending' AND r.in_workflow AND r.next_attempt_at <= $1::timestamptz LIMIT 1)
                  THEN least(2, $3::int - 1) ELSE 0 END AS slots
  FROM visited w LEFT JOIN LATERAL (
    SELECT b.leased_by, count(*) AS n, max(b.slots) AS slots FROM webhook_leases b
    WHERE b.endpoint = w.endpoint AND b.leased_until > $1::timestamptz GROUP BY b.leased_by
  ) h ON true
  GROUP BY w.endpoint
), offered AS (
  SELECT due.*, held.slots, row_number() OVER (PARTITION BY due.app_id, due.environment ORDER BY due.pk) AS of_tenant
  FROM held CROSS JOIN LATERAL (
    SELECT d.pk, d.event_pk, d.delivery_id, d.app_id, d.environment, d.url, d.endpoint, d.attempts, d.first_attempt_at, d.shift_ms FROM webhook_deliveries d
    WHERE d.endpoint = held.endpoint AND d.status = 'pending' AND d.attempts = 0 AND d.next_attempt_at <= $1::timestamptz
      -- A look-up for each row read: joined, all leases would be.
      AND coalesce((SELECT l.leased_until FROM webhook_leases l WHERE l.delivery_pk = d.pk), '-infinity') <= $1::timestamptz
    ORDER BY d.pk
    LIMIT CASE WHEN held.slots <= 0 THEN 0 ELSE greatest(CASE WHEN held.endpoint = ANY ($6::text[]) THEN $7::int ELSE held.slots END - held.mine, 0) END
  ) due
), chosen AS (
  SELECT * FROM offered
  -- However many endpoints of an app hang, the other apps have their share.
  WHERE of_tenant <= $8::int - coalesce(($9::jsonb ->> (app_id || '/' || environment))::int, 0)
  ORDER BY pk
  LIMIT $4::int
), leased AS (
  INSERT INTO webhook_leases (delivery_pk, endpoint, leased_by, slots, leased_until)
  SELECT pk, endpoint, $5::bigint, slots, $2::timestamptz FROM chosen
  ON CONFLICT (delivery_pk) DO UPDATE SET leased_by = excluded.leased_by, slots = excluded.slots, leased_until = excluded.leased_until
)
SELECT c.pk, c.delivery_id, c.url, c.endpoint, c.attempts, c.first_attempt_at, c.shift_ms, c.slots,
       e.event_id, e.link_id, e.webhook_event, e.idempotency_key, e.app_id, e.environment, e.format, e.body, e.sealed_body, v.last_endpoint
-- One row at least, to say where the next visit begins.
FROM journey v
LEFT JOIN chosen c ON true
-- OFFSET keeps it a look-up for each row.
LEFT JOIN LATERAL (SELECT * FROM webhook_events e WHERE e.pk = c.event_pk OFFSET 0) e ON true
ORDER BY c.pk;
