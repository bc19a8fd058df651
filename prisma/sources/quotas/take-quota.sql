-- Takes one call of a quota if there is room. The caller holds the lock of this quota and subject.
-- Calls are counted in parts of the window, each until it lies outside every window that may still
-- contain one of its calls. So no window of the rule, whenever it starts, contains more calls than
-- the rule allows.
-- $1 provider, $2 quota, $3 subject, $4 limit of the rule, $5 the number of calls that may be
-- counted including this one, $6 window and $7 part in milliseconds. Returns whether it was taken,
-- the number of calls that the rule still allows, and the milliseconds until there is room.
WITH clock AS MATERIALIZED (
  SELECT clock_timestamp() AS now
),
part AS MATERIALIZED (
  SELECT to_timestamp(floor(extract(epoch FROM now) * 1000 / $7::bigint) * $7::bigint / 1000.0) AS start FROM clock
),
ended AS (
  DELETE FROM quota_windows USING clock
   WHERE provider = $1 AND quota = $2 AND subject = $3 AND ends_at <= clock.now
),
counted AS MATERIALIZED (
  SELECT used, ends_at, sum(used) OVER (ORDER BY window_start DESC) - used AS used_later
    FROM quota_windows, clock
   WHERE provider = $1 AND quota = $2 AND subject = $3 AND ends_at > clock.now
),
room AS MATERIALIZED (
  SELECT coalesce(sum(used), 0)::int AS used, min(ends_at) FILTER (WHERE used_later < $5::int) AS again_at FROM counted
),
taken AS (
  INSERT INTO quota_windows (provider, quota, subject, window_start, used, "limit", ends_at)
  SELECT $1, $2, $3, part.start, 1, $4::int, part.start + ($6::bigint + $7::bigint) * interval '1 millisecond'
    FROM part, room
   WHERE room.used < $5::int
      ON CONFLICT (provider, quota, subject, window_start) DO UPDATE SET used = quota_windows.used + 1, "limit" = excluded."limit"
  RETURNING 1
)
SELECT EXISTS (SELECT 1 FROM taken) AS taken,
       ($4::int - room.used - (SELECT count(*) FROM taken))::int AS left,
       coalesce(ceil(extract(epoch FROM room.again_at - clock.now) * 1000), $6::bigint)::float8 AS wait_ms
  FROM room, clock
