-- $1 the outcomes as a JSON array, $2 their deliveries. An outcome counts once: only the attempt after the recorded ones is taken.
-- A delivery that was ended meanwhile (cancelled, disabled, replaced) keeps its status, but an answer of the receiver
-- that it has the event is the truth in all cases but `replaced`.
-- Rows are named by $2, so that every plan reads exactly these by index.
WITH outcome AS MATERIALIZED (
  SELECT o.* FROM jsonb_to_recordset($1::jsonb) AS o (
    delivery_pk bigint, attempt int, started_at timestamptz, facts jsonb, status text, next_attempt_at timestamptz, shift_ms bigint)
), moved AS (
  UPDATE webhook_deliveries d SET
    attempts = o.attempt,
    history = d.history || o.facts,
    first_attempt_at = coalesce(d.first_attempt_at, o.started_at),
    last_attempt_at = o.started_at,
    status = CASE WHEN d.status = 'pending' OR (o.status = 'delivered' AND d.status IN ('exhausted', 'disabled')) THEN o.status ELSE d.status END,
    next_attempt_at = CASE WHEN d.status = 'pending' THEN o.next_attempt_at END,
    shift_ms = o.shift_ms,
    -- Its workflow makes room when another delivery to the endpoint waits for one and is due earlier.
    in_workflow = d.in_workflow AND NOT (o.status = 'pending' AND EXISTS (
      SELECT 1 FROM webhook_deliveries w
      WHERE w.endpoint = d.endpoint AND w.status = 'pending' AND w.attempts >= 1 AND NOT w.in_workflow AND w.next_attempt_at < o.next_attempt_at))
  FROM outcome o
  WHERE d.pk = ANY ($2::bigint[]) AND d.pk = o.delivery_pk AND d.attempts = o.attempt - 1
  RETURNING d.pk, d.event_pk, d.delivery_id, d.url, d.endpoint, d.status, d.attempts, d.in_workflow, o.status AS outcome
), ended AS (
  DELETE FROM webhook_leases l USING moved m WHERE l.delivery_pk = ANY ($2::bigint[]) AND l.delivery_pk = m.pk
)
SELECT m.pk, m.url, m.endpoint, m.status, m.attempts, m.in_workflow, m.outcome, e.link_id
FROM moved m CROSS JOIN LATERAL (SELECT e.link_id FROM webhook_events e WHERE e.pk = m.event_pk OFFSET 0) e
-- Nothing follows from a delivery.
WHERE m.outcome <> 'delivered'
ORDER BY m.pk;
