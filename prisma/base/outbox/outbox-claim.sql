-- $1 now, $2 leased until, $3 limit. A claimed command becomes available again when its lease expires.
WITH chosen AS (
  SELECT pk FROM outbox_commands WHERE available_at <= $1::timestamptz
  ORDER BY available_at, pk LIMIT $3::int FOR UPDATE SKIP LOCKED
), claimed AS (
  UPDATE outbox_commands c SET available_at = $2::timestamptz, attempts = c.attempts + 1 FROM chosen WHERE c.pk = chosen.pk
  RETURNING c.pk, c.kind, c.payload, c.attempts, c.trace_id
)
SELECT pk, kind, payload, attempts, trace_id FROM claimed ORDER BY pk;
