-- Claims first attempts that are due, in the order of their events. The caller holds the claim
-- lock.
-- $1 now, $2 end of the lease, $3 attempts at a time per endpoint, $4 maximum number of attempts to
-- claim, $5 endpoint after which to start, $6 endpoints to visit, $7 attempts in flight per app and
-- environment, $8 those of the caller by "app/environment", $9 failed deliveries of an endpoint
-- that may wait for a retry workflow, $10 starts of a range replay in the pace window, $11 start of
-- that window.
WITH RECURSIVE visited AS (
  -- Skips from endpoint to endpoint in the index: the backlog of one endpoint is not read.
  (SELECT endpoint, 1 AS place FROM webhook_deliveries
   WHERE status = 'pending' AND attempts = 0 AND endpoint > $5::text ORDER BY endpoint LIMIT 1)
  UNION ALL
  SELECT (SELECT d.endpoint FROM webhook_deliveries d
          WHERE d.status = 'pending' AND d.attempts = 0 AND d.endpoint > v.endpoint ORDER BY d.endpoint LIMIT 1), v.place + 1
  FROM visited v WHERE v.endpoint IS NOT NULL AND v.place < $6::int
), open AS (
  SELECT v.endpoint,
         $3::int - (SELECT count(*)::int FROM webhook_leases l WHERE l.endpoint = v.endpoint AND l.leased_until > $1::timestamptz)
           -- Two slots stay free for due retries, which a backlog of first attempts would otherwise
           -- block.
           - CASE WHEN (SELECT true FROM webhook_deliveries r
                        WHERE r.endpoint = v.endpoint AND r.status = 'pending' AND r.in_workflow AND r.next_attempt_at <= $1::timestamptz LIMIT 1)
                  THEN least(2, $3::int - 1) ELSE 0 END AS slots
  FROM visited v
  -- An endpoint that fails faster than retry workflows may start gets no more first attempts than
  -- those.
  WHERE v.endpoint IS NOT NULL AND (
    SELECT w.pk FROM webhook_deliveries w
    WHERE w.endpoint = v.endpoint AND w.status = 'pending' AND w.attempts >= 1 AND NOT w.in_workflow
    ORDER BY w.next_attempt_at, w.pk OFFSET $9::int LIMIT 1) IS NULL
), due AS (
  SELECT d.*, row_number() OVER (PARTITION BY d.app_id, d.environment ORDER BY d.pk) AS place_in_app,
         row_number() OVER (PARTITION BY d.app_id, d.environment, d.reason, d.created_at ORDER BY d.pk) AS place_in_range
  FROM open CROSS JOIN LATERAL (
    SELECT f.* FROM webhook_deliveries f
    WHERE f.endpoint = open.endpoint AND f.status = 'pending' AND f.attempts = 0 AND f.next_attempt_at <= $1::timestamptz
      -- A lookup for each row: a join would read all leases.
      AND coalesce((SELECT l.leased_until FROM webhook_leases l WHERE l.delivery_pk = f.pk), '-infinity') <= $1::timestamptz
    ORDER BY f.pk
    LIMIT greatest(open.slots, 0)
  ) d
), chosen AS (
  SELECT * FROM due
  WHERE place_in_app <= $7::int - coalesce(($8::jsonb ->> (app_id || '/' || environment))::int, 0)
    -- The deliveries of a range were created at the same moment.
    AND CASE WHEN reason = 'replay' THEN place_in_range <= $10::int - (
          SELECT count(*) FROM webhook_deliveries r
          WHERE r.reason = 'replay' AND r.app_id = due.app_id AND r.environment = due.environment
            AND r.created_at = due.created_at AND r.first_attempt_at > $11::timestamptz)
        ELSE true END
  ORDER BY pk
  LIMIT $4::int
), leased AS (
  INSERT INTO webhook_leases (delivery_pk, endpoint, leased_until)
  SELECT pk, endpoint, $2::timestamptz FROM chosen
  ON CONFLICT (delivery_pk) DO UPDATE SET leased_until = excluded.leased_until
), paced AS (
  -- The count for the pace of a range, across all sending processes.
  UPDATE webhook_deliveries d SET first_attempt_at = $1::timestamptz
  FROM chosen c WHERE c.reason = 'replay' AND d.pk = c.pk AND d.pk = ANY (ARRAY(SELECT pk FROM chosen WHERE reason = 'replay'))
)
SELECT c.pk, c.delivery_id AS "deliveryId", c.url, c.endpoint, 1 AS attempt, NULL::timestamptz AS "firstAttemptAt", c.shift_ms AS "shiftMs",
       c.trace_id AS "traceId", e.event_id AS "eventId", e.link_id AS "linkId", e.webhook_event AS "webhookEvent", e.idempotency_key AS "idempotencyKey",
       e.app_id AS "appId", e.environment, e.format, e.body, e.sealed_body AS "sealedBody", v.last_endpoint AS "lastEndpoint"
-- At least one row, with the endpoint after which the next claim starts.
FROM (SELECT max(endpoint) FILTER (WHERE place = $6::int) AS last_endpoint FROM visited) v
LEFT JOIN chosen c ON true
-- OFFSET keeps it a lookup for each row.
LEFT JOIN LATERAL (SELECT * FROM webhook_events e WHERE e.pk = c.event_pk OFFSET 0) e ON true
ORDER BY c.pk;
