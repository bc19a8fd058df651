-- $1 the outcomes as a JSON array, $2 their deliveries. An outcome counts once: only the attempt
-- after the recorded ones is accepted. A delivery that ended in the meantime (canceled, disabled,
-- replaced) keeps its status, unless the receiver has accepted the event and it was not replaced.
WITH outcome AS MATERIALIZED (
  SELECT o.* FROM jsonb_to_recordset($1::jsonb) AS o (
    delivery_pk bigint, attempt int, started_at timestamptz, facts jsonb, status text, next_attempt_at timestamptz, shift_ms bigint)
), recorded AS (
  UPDATE webhook_deliveries d SET
    attempts = o.attempt,
    history = d.history || o.facts,
    first_attempt_at = CASE WHEN o.attempt = 1 THEN o.started_at ELSE d.first_attempt_at END,
    last_attempt_at = o.started_at,
    status = CASE WHEN d.status = 'pending' OR (o.status = 'delivered' AND d.status IN ('exhausted', 'disabled')) THEN o.status ELSE d.status END,
    next_attempt_at = CASE WHEN d.status = 'pending' THEN o.next_attempt_at END,
    shift_ms = o.shift_ms
  FROM outcome o
  -- Named by $2, so that every plan reads exactly these rows by index.
  WHERE d.pk = ANY ($2::bigint[]) AND d.pk = o.delivery_pk AND d.attempts = o.attempt - 1
  RETURNING d.pk, d.event_pk, d.url, o.status AS outcome
), released AS (
  DELETE FROM webhook_leases l USING recorded r WHERE l.delivery_pk = ANY ($2::bigint[]) AND l.delivery_pk = r.pk
)
-- Addresses whose receiver has returned 410.
SELECT r.url, e.link_id
FROM recorded r CROSS JOIN LATERAL (SELECT e.link_id FROM webhook_events e WHERE e.pk = r.event_pk OFFSET 0) e
WHERE r.outcome = 'disabled'
ORDER BY r.pk;
