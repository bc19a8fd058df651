-- The used calls of the quotas of the provider $2 (null = all providers) at $1, by quota: the
-- number of permissions or accounts with calls that count, the number of them without remaining
-- calls, the lowest number that remains to one of them, and the time at which the first of their
-- calls no longer counts.
WITH subjects AS (
  SELECT provider, quota, sum(used)::int AS used, max("limit") AS "limit", min(ends_at) AS frees_at
    FROM quota_windows
   WHERE ends_at > $1::timestamptz AND ($2::text IS NULL OR provider = $2)
   GROUP BY provider, quota, subject
)
SELECT provider, quota, max("limit") AS "limit", count(*)::int AS subjects,
       (count(*) FILTER (WHERE used >= "limit"))::int AS used_up, greatest(0, min("limit" - used))::int AS least_left,
       min(frees_at) AS frees_at
  FROM subjects
 GROUP BY provider, quota
 ORDER BY provider, quota
