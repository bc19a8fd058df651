-- The apps of receivers that refuse, with the number of these receivers. $1 the maximum number of endpoints, $2 the
-- deliveries of each that are looked at. Skips from endpoint to endpoint in the index, as waiting-endpoints does.
WITH RECURSIVE retried AS (
  (SELECT endpoint, 1 AS place FROM webhook_deliveries
    WHERE status = 'pending' AND in_workflow AND endpoint > '' ORDER BY endpoint LIMIT 1)
  UNION ALL
  SELECT (SELECT d.endpoint FROM webhook_deliveries d
           WHERE d.status = 'pending' AND d.in_workflow AND d.endpoint > v.endpoint ORDER BY d.endpoint LIMIT 1), v.place + 1
    FROM retried v WHERE v.endpoint IS NOT NULL AND v.place < $1::int
)
SELECT found.app_id AS "appId", app.name, found.environment, found.count
  FROM (
    SELECT own.app_id, own.environment, count(*)::int AS count
      FROM retried v
      -- The delivery whose next attempt is latest has had the most attempts.
     CROSS JOIN LATERAL (
       SELECT d.attempts FROM webhook_deliveries d
        WHERE d.status = 'pending' AND d.in_workflow AND d.endpoint = v.endpoint ORDER BY d.next_attempt_at DESC LIMIT 1) AS worst
     CROSS JOIN LATERAL (
       SELECT DISTINCT app_id, environment FROM (
         SELECT d.app_id, d.environment FROM webhook_deliveries d
          WHERE d.status = 'pending' AND d.in_workflow AND d.endpoint = v.endpoint ORDER BY d.next_attempt_at DESC LIMIT $2::int) AS last) AS own
     WHERE worst.attempts >= 3
     GROUP BY own.app_id, own.environment) AS found
  JOIN applications app USING (app_id)
 ORDER BY found.count DESC, found.app_id, found.environment
