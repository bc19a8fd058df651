-- $1 to $9 as in webhook-claim-visited, $10 endpoint after which to begin, $11 endpoints to visit, $12 of which to leave alone,
-- $13 halves of the endpoints (webhook-slots.ts). Visits each endpoint with waiting first attempts once, by the index.
WITH RECURSIVE waiting AS (
  (SELECT endpoint, 1 AS place FROM webhook_deliveries WHERE status = 'pending' AND attempts = 0 AND endpoint > $10::text ORDER BY endpoint LIMIT 1)
  UNION ALL
  SELECT (SELECT d.endpoint FROM webhook_deliveries d
          WHERE d.status = 'pending' AND d.attempts = 0 AND d.endpoint > w.endpoint ORDER BY d.endpoint LIMIT 1), w.place + 1
  FROM waiting w WHERE w.endpoint IS NOT NULL AND w.place < $11::int
), visited AS (
  SELECT endpoint FROM waiting
  WHERE endpoint <> ALL ($12::text[]) AND (get_byte(sha256(convert_to(endpoint, 'UTF8')), 0) & 1) = ANY ($13::int[])
), journey AS (
  SELECT max(endpoint) FILTER (WHERE place = $11::int) AS last_endpoint FROM waiting
),
-- include webhook-claim-visited
