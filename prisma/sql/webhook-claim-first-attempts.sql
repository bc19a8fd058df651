-- $1 to $7 as in webhook-claim-visited, $8 endpoint after which to begin, $9 endpoints to visit, $10 of which to leave alone,
-- $11 halves of the endpoints (webhook-slots.ts). Visits each endpoint with waiting first attempts once, by the index.
WITH RECURSIVE waiting AS (
  (SELECT endpoint, 1 AS place FROM webhook_deliveries WHERE status = 'pending' AND attempts = 0 AND endpoint > $8::text ORDER BY endpoint LIMIT 1)
  UNION ALL
  SELECT (SELECT d.endpoint FROM webhook_deliveries d
          WHERE d.status = 'pending' AND d.attempts = 0 AND d.endpoint > w.endpoint ORDER BY d.endpoint LIMIT 1), w.place + 1
  FROM waiting w WHERE w.endpoint IS NOT NULL AND w.place < $9::int
), visited AS (
  SELECT endpoint FROM waiting
  WHERE endpoint <> ALL ($10::text[]) AND (get_byte(sha256(convert_to(endpoint, 'UTF8')), 0) & 1) = ANY ($11::int[])
), journey AS (
  SELECT max(endpoint) FILTER (WHERE place = $9::int) AS last_endpoint FROM waiting
),
-- include webhook-claim-visited
