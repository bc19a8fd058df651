-- Takes one call of a bucket that fills by the time of the database: what several processes hand out is one limit.
-- $1 key, $2 calls per second, $3 burst. Answers whether there was one, and how many there are now.
INSERT INTO token_call_buckets AS bucket (key_hash, calls, filled_at, taken)
VALUES ($1::bytea, $3::float8 - 1, now(), true)
ON CONFLICT (key_hash) DO UPDATE SET
  calls = least($3::float8, bucket.calls + greatest(0, extract(epoch FROM now() - bucket.filled_at)) * $2::float8)
          - CASE WHEN least($3::float8, bucket.calls + greatest(0, extract(epoch FROM now() - bucket.filled_at)) * $2::float8) >= 1 THEN 1 ELSE 0 END,
  taken = least($3::float8, bucket.calls + greatest(0, extract(epoch FROM now() - bucket.filled_at)) * $2::float8) >= 1,
  filled_at = greatest(bucket.filled_at, now())
RETURNING taken, calls
