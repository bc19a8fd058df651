-- The amount of work that waits at $1, and the delay of its oldest. $2 the world whose links are
-- due, $3 the maximum count, $4 the maximum number of endpoints. Each number is an index look-up,
-- and each count stops early: the cost is the same at any size.
WITH RECURSIVE first_attempts AS (
  -- Skips from endpoint to endpoint in the index, as webhook-claim-first-attempts does.
  (SELECT endpoint, 1 AS place FROM webhook_deliveries
    WHERE status = 'pending' AND attempts = 0 AND endpoint > '' ORDER BY endpoint LIMIT 1)
  UNION ALL
  SELECT (SELECT d.endpoint FROM webhook_deliveries d
           WHERE d.status = 'pending' AND d.attempts = 0 AND d.endpoint > v.endpoint ORDER BY d.endpoint LIMIT 1), v.place + 1
    FROM first_attempts v WHERE v.endpoint IS NOT NULL AND v.place < $4::int
), retried AS (
  (SELECT endpoint, 1 AS place FROM webhook_deliveries
    WHERE status = 'pending' AND in_workflow AND endpoint > '' ORDER BY endpoint LIMIT 1)
  UNION ALL
  SELECT (SELECT d.endpoint FROM webhook_deliveries d
           WHERE d.status = 'pending' AND d.in_workflow AND d.endpoint > v.endpoint ORDER BY d.endpoint LIMIT 1), v.place + 1
    FROM retried v WHERE v.endpoint IS NOT NULL AND v.place < $4::int
)
SELECT
  (SELECT count(*)::int FROM (SELECT FROM outbox_commands WHERE available_at > '-infinity' LIMIT $3::int) o) AS "outboxCommands",
  -- By key, not by available_at: a command that fails becomes available again later.
  (SELECT created_at FROM outbox_commands WHERE pk > 0 ORDER BY pk LIMIT 1) AS "outboxOldestAt",
  (SELECT count(*)::int FROM (
     SELECT FROM links WHERE world_id = $2 AND next_due_at <= $1::timestamptz LIMIT $3::int) l) AS "linksDue",
  (SELECT next_due_at FROM links WHERE world_id = $2 AND next_due_at <= $1::timestamptz
    ORDER BY next_due_at LIMIT 1) AS "linksDueSince",
  (SELECT count(*)::int FROM (
     SELECT FROM refresh_requests WHERE consumed_at IS NULL AND created_at > '-infinity' LIMIT $3::int) r) AS "requestsWaiting",
  -- Products of links in Connect wait for their user.
  (SELECT r.created_at FROM (
     SELECT link_pk, created_at FROM refresh_requests
      WHERE consumed_at IS NULL AND created_at <= $1::timestamptz ORDER BY created_at LIMIT 200) r
    WHERE (SELECT l.state FROM links l WHERE l.pk = r.link_pk) NOT IN ('connecting', 'deleted')
    ORDER BY r.created_at LIMIT 1) AS "requestsOldestAt",
  (SELECT count(*)::int FROM (
     SELECT FROM webhook_deliveries
      WHERE status = 'pending' AND attempts = 0 AND endpoint > '' AND next_attempt_at <= $1::timestamptz LIMIT $3::int) d) AS "webhooksDue",
  (SELECT min(d.next_attempt_at) FROM first_attempts v CROSS JOIN LATERAL (
     SELECT next_attempt_at FROM webhook_deliveries f
      WHERE f.endpoint = v.endpoint AND f.status = 'pending' AND f.attempts = 0 AND f.next_attempt_at <= $1::timestamptz
      ORDER BY f.pk LIMIT 1) d) AS "webhooksDueSince",
  -- By tenant, in the index of the log: the oldest event that still waits. Written as a range and
  -- an order, since the planner would otherwise walk through all delivered events in the index of
  -- event_pk, expecting to find one soon.
  (SELECT min(d.created_at) FROM api_clients c CROSS JOIN LATERAL (
     SELECT p.created_at FROM webhook_deliveries p
      WHERE p.newest AND p.app_id = c.app_id AND p.environment = c.environment AND p.status >= 'pending' AND p.status <= 'pending'
      ORDER BY p.status, p.event_pk LIMIT 1) d
    WHERE c.client_id > '') AS "webhooksOldestAt",
  -- The delivery whose next attempt is latest has had the most attempts.
  (SELECT count(*)::int FROM retried v CROSS JOIN LATERAL (
     SELECT attempts FROM webhook_deliveries r
      WHERE r.endpoint = v.endpoint AND r.status = 'pending' AND r.in_workflow ORDER BY r.next_attempt_at DESC LIMIT 1) d
    WHERE d.attempts >= 3) AS "endpointsRefusing",
  (SELECT count(*)::int FROM (
     SELECT FROM webhook_deliveries WHERE status = 'pending' AND in_workflow AND endpoint > '' LIMIT $3::int) d) AS "openRetries",
  (SELECT count(*)::int FROM (SELECT FROM link_sessions WHERE state = 'open' LIMIT $3::int) s) AS "openSessions",
  (SELECT count(*)::int FROM (SELECT FROM link_products WHERE state = 'in_progress' LIMIT $3::int) p) AS "openFetches",
  (SELECT count(*)::int FROM (SELECT FROM permission_revocations WHERE give_up_at > '-infinity' LIMIT $3::int) p) AS "openRevocations",
  (SELECT count(*)::int FROM (SELECT FROM user_erasures WHERE erased_at IS NULL LIMIT $3::int) u) AS "openErasures"
