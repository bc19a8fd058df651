-- Why the product $2 of the link $1, whose fetch began at $3, is being fetched: the requests its run consumed last before
-- it began, those consumed since, and those still waiting, which joined it (link-lifecycle 7.3).
SELECT cause
  FROM refresh_requests
 WHERE link_pk = $1::bigint AND product = $2
   AND (consumed_at IS NULL
        OR consumed_at >= coalesce(
             (SELECT max(consumed_at) FROM refresh_requests WHERE link_pk = $1::bigint AND product = $2 AND consumed_at <= $3::timestamptz),
             $3::timestamptz))
 GROUP BY cause
 ORDER BY min(pk)
