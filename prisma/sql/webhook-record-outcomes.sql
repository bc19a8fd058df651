-- $1 the outcomes as a JSON array. An outcome counts once: only the attempt after the recorded ones is taken.
-- A delivery that was ended meanwhile (cancelled, disabled, replaced) keeps its status, but an answer of the receiver
-- that it has the event is the truth in all cases but `replaced`.
WITH outcome AS (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS o (
    delivery_pk bigint, attempt int, started_at timestamptz, duration_ms int, http_status int, error text,
    response_excerpt text, status text, next_attempt_at timestamptz, shift_ms bigint)
), moved AS (
  UPDATE webhook_deliveries d SET
    attempts = o.attempt,
    first_attempt_at = coalesce(d.first_attempt_at, o.started_at),
    last_attempt_at = o.started_at,
    leased_until = NULL,
    status = CASE WHEN d.status = 'pending' OR (o.status = 'delivered' AND d.status IN ('exhausted', 'disabled')) THEN o.status ELSE d.status END,
    next_attempt_at = CASE WHEN d.status = 'pending' THEN o.next_attempt_at END,
    shift_ms = o.shift_ms
  FROM outcome o
  WHERE d.pk = o.delivery_pk AND d.attempts = o.attempt - 1
  RETURNING d.pk, d.event_pk, d.delivery_id, d.url, d.status, d.attempts, o.status AS outcome
), logged AS (
  INSERT INTO webhook_attempts (delivery_pk, attempt, started_at, duration_ms, http_status, error, response_excerpt)
  SELECT o.delivery_pk, o.attempt, o.started_at, o.duration_ms, o.http_status, o.error, o.response_excerpt
  FROM outcome o JOIN moved m ON m.pk = o.delivery_pk
)
SELECT m.delivery_id, m.url, m.status, m.attempts, m.outcome, e.link_id FROM moved m JOIN webhook_events e ON e.pk = m.event_pk ORDER BY m.pk;
