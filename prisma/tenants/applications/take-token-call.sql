-- Takes one call from a token bucket that refills by the database clock, so all processes share one
-- limit.
-- $1 key, $2 calls per second, $3 burst. Returns whether the call was granted, and the number that
-- remains.
INSERT INTO token_call_buckets AS bucket (key_hash, calls, filled_at, taken)
VALUES ($1::bytea, $3::float8 - 1, now(), true)
ON CONFLICT (key_hash) DO UPDATE SET
  calls = least($3::float8, bucket.calls + greatest(0, extract(epoch FROM now() - bucket.filled_at)) * $2::float8)
          - CASE WHEN least($3::float8, bucket.calls + greatest(0, extract(epoch FROM now() - bucket.filled_at)) * $2::float8) >= 1 THEN 1 ELSE 0 END,
  taken = least($3::float8, bucket.calls + greatest(0, extract(epoch FROM now() - bucket.filled_at)) * $2::float8) >= 1,
  filled_at = greatest(bucket.filled_at, now())
RETURNING taken, calls
