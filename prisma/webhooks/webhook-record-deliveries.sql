-- $1 deliveries whose receivers have accepted, $2 the facts of these attempts as a JSON array in the same order. Nothing
-- follows from a delivery, so this is all of it, and most of what is ever recorded: webhook-record-outcomes does the rest,
-- by the same rules.
WITH moved AS (
  UPDATE webhook_deliveries d SET
    attempts = d.attempts + 1,
    history = d.history || o.facts,
    first_attempt_at = coalesce(d.first_attempt_at, (o.facts ->> 'startedAt')::timestamptz),
    last_attempt_at = (o.facts ->> 'startedAt')::timestamptz,
    status = CASE WHEN d.status IN ('pending', 'exhausted', 'disabled') THEN 'delivered' ELSE d.status END,
    next_attempt_at = NULL
  FROM ROWS FROM (unnest($1::bigint[]), jsonb_array_elements($2::jsonb)) AS o (pk, facts)
  WHERE d.pk = ANY ($1::bigint[]) AND d.pk = o.pk AND d.attempts = (o.facts ->> 'attempt')::int - 1
  RETURNING d.pk
)
DELETE FROM webhook_leases l USING moved m WHERE l.delivery_pk = ANY ($1::bigint[]) AND l.delivery_pk = m.pk;
