-- $1 deliveries that failed just now, $2 their endpoints; null = whoever waits, anywhere. $3 workflows per endpoint, $4 at
-- most begun now, per endpoint; $5 endpoints that refuse, $6 the same for each of those; $7 endpoint after which to begin,
-- $8 endpoints to visit; $9 false = not where one refuses and more than $3 wait. Later attempts are made by workflows, and
-- only so many are open per endpoint: the rest waits here, the earliest due first. Who fails behind others that wait has to
-- wait, too.
WITH RECURSIVE waiting AS (
  (SELECT endpoint, 1 AS place FROM webhook_deliveries WHERE $1::bigint[] IS NULL AND endpoint > $7::text AND status = 'pending' AND attempts >= 1 AND NOT in_workflow ORDER BY endpoint LIMIT 1)
  UNION ALL
  SELECT (SELECT d.endpoint FROM webhook_deliveries d
          WHERE d.status = 'pending' AND d.attempts >= 1 AND NOT d.in_workflow AND d.endpoint > w.endpoint ORDER BY d.endpoint LIMIT 1), w.place + 1
  FROM waiting w WHERE w.endpoint IS NOT NULL AND w.place < $8::int
), meant AS (
  SELECT endpoint FROM waiting WHERE endpoint IS NOT NULL
  UNION
  SELECT own.endpoint FROM unnest($2::text[]) AS own (endpoint)
  -- A look-up for each endpoint: joined, all that wait anywhere would be read.
  WHERE (SELECT d.pk FROM webhook_deliveries d
         WHERE d.endpoint = own.endpoint AND d.status = 'pending' AND d.attempts >= 1 AND NOT d.in_workflow AND d.pk <> ALL ($1::bigint[]) LIMIT 1) IS NULL
), chosen AS (
  SELECT first.pk
  FROM meant CROSS JOIN LATERAL (
    SELECT d.pk FROM webhook_deliveries d
    WHERE d.endpoint = meant.endpoint AND d.status = 'pending' AND d.attempts >= 1 AND NOT d.in_workflow
    ORDER BY d.next_attempt_at, d.pk
    LIMIT least(
      CASE WHEN meant.endpoint <> ALL ($5::text[]) THEN $4::int
           WHEN $9::boolean OR (
             SELECT w.pk FROM webhook_deliveries w
             WHERE w.endpoint = meant.endpoint AND w.status = 'pending' AND w.attempts >= 1 AND NOT w.in_workflow
             ORDER BY w.next_attempt_at, w.pk OFFSET $3::int LIMIT 1) IS NULL THEN $6::int
           ELSE 0 END,
      greatest(0, $3::int - (SELECT count(*) FROM webhook_deliveries b WHERE b.endpoint = meant.endpoint AND b.status = 'pending' AND b.in_workflow)))
    FOR NO KEY UPDATE SKIP LOCKED
  ) first
), handed AS (
  UPDATE webhook_deliveries d SET in_workflow = true WHERE d.pk = ANY (ARRAY(SELECT pk FROM chosen)) RETURNING d.pk, d.delivery_id
), begun AS (
  INSERT INTO outbox_commands (kind, payload)
  SELECT 'startWebhookDelivery', jsonb_build_object('deliveryId', delivery_id) FROM handed ORDER BY pk
)
SELECT h.pk, v.last_endpoint
-- One row at least, to say where the next visit begins.
FROM (SELECT max(endpoint) FILTER (WHERE place = $8::int) AS last_endpoint FROM waiting) v LEFT JOIN handed h ON true;
