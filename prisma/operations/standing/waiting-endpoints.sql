-- The endpoints with deliveries that wait, with their numbers. $1 the maximum number of endpoints, $2 the maximum count.
-- Each of three indexes is skipped through from endpoint to endpoint, and each count reads in the order of its index, since a
-- bitmap would read every delivery of its endpoint before the count stops: the cost is the same at any number of deliveries.
WITH RECURSIVE new AS (
  (SELECT endpoint, 1 AS place FROM webhook_deliveries
    WHERE status = 'pending' AND attempts = 0 AND endpoint > '' ORDER BY endpoint LIMIT 1)
  UNION ALL
  SELECT (SELECT d.endpoint FROM webhook_deliveries d
           WHERE d.status = 'pending' AND d.attempts = 0 AND d.endpoint > v.endpoint ORDER BY d.endpoint LIMIT 1), v.place + 1
    FROM new v WHERE v.endpoint IS NOT NULL AND v.place < $1::int
), waiting AS (
  (SELECT endpoint, 1 AS place FROM webhook_deliveries
    WHERE status = 'pending' AND attempts >= 1 AND NOT in_workflow AND endpoint > '' ORDER BY endpoint LIMIT 1)
  UNION ALL
  SELECT (SELECT d.endpoint FROM webhook_deliveries d
           WHERE d.status = 'pending' AND d.attempts >= 1 AND NOT d.in_workflow AND d.endpoint > v.endpoint ORDER BY d.endpoint LIMIT 1), v.place + 1
    FROM waiting v WHERE v.endpoint IS NOT NULL AND v.place < $1::int
), retried AS (
  (SELECT endpoint, 1 AS place FROM webhook_deliveries
    WHERE status = 'pending' AND in_workflow AND endpoint > '' ORDER BY endpoint LIMIT 1)
  UNION ALL
  SELECT (SELECT d.endpoint FROM webhook_deliveries d
           WHERE d.status = 'pending' AND d.in_workflow AND d.endpoint > v.endpoint ORDER BY d.endpoint LIMIT 1), v.place + 1
    FROM retried v WHERE v.endpoint IS NOT NULL AND v.place < $1::int
), endpoints AS (
  SELECT endpoint FROM (
    SELECT endpoint FROM retried UNION SELECT endpoint FROM waiting UNION SELECT endpoint FROM new) AS e
   WHERE endpoint IS NOT NULL ORDER BY endpoint LIMIT $1::int
)
SELECT e.endpoint,
       (SELECT count(*)::int FROM (SELECT FROM webhook_deliveries d
          WHERE d.status = 'pending' AND d.attempts = 0 AND d.endpoint = e.endpoint ORDER BY d.pk LIMIT $2::int) AS n) AS new,
       (SELECT count(*)::int FROM (SELECT FROM webhook_deliveries d
          WHERE d.status = 'pending' AND d.in_workflow AND d.endpoint = e.endpoint ORDER BY d.next_attempt_at LIMIT $2::int) AS n)
       + (SELECT count(*)::int FROM (SELECT FROM webhook_deliveries d
          WHERE d.status = 'pending' AND d.attempts >= 1 AND NOT d.in_workflow AND d.endpoint = e.endpoint ORDER BY d.next_attempt_at LIMIT $2::int) AS n) AS refused,
       most.attempts, most.answer, soonest.next_attempt_at AS "nextAttemptAt"
  FROM endpoints e
  -- The delivery whose next attempt is latest has had the most attempts.
  LEFT JOIN LATERAL (
    SELECT d.attempts, d.history -> -1 AS answer FROM webhook_deliveries d
     WHERE d.status = 'pending' AND d.in_workflow AND d.endpoint = e.endpoint ORDER BY d.next_attempt_at DESC LIMIT 1) AS most ON true
  LEFT JOIN LATERAL (
    SELECT d.next_attempt_at FROM webhook_deliveries d
     WHERE d.status = 'pending' AND d.in_workflow AND d.endpoint = e.endpoint ORDER BY d.next_attempt_at LIMIT 1) AS soonest ON true
 ORDER BY e.endpoint
