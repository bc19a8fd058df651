-- Why the product of $1 (link_pk), $2 (product) under way since $3 is being fetched: the requests its run consumed just
-- before it began, those consumed since, and those still waiting, which joined it (link-lifecycle 7.3).
SELECT DISTINCT cause
  FROM refresh_requests
 WHERE link_pk = $1::bigint AND product = $2
   AND (consumed_at IS NULL
        OR consumed_at >= coalesce(
             (SELECT max(consumed_at) FROM refresh_requests WHERE link_pk = $1::bigint AND product = $2 AND consumed_at <= $3::timestamptz),
             $3::timestamptz))
