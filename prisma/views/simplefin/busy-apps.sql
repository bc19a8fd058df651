-- The apps that created the most SimpleFIN tokens from $1 on, of the newest $2 tokens. $3 the fewest that count, $4 the
-- number of apps.
SELECT customer.app_id AS "appId", customer.environment, count(*)::int AS tokens
  FROM (SELECT customer_user_pk FROM simplefin_tokens WHERE created_at >= $1::timestamptz
         ORDER BY created_at DESC LIMIT $2::int) token
  JOIN customer_users customer ON customer.pk = token.customer_user_pk
 GROUP BY 1, 2
HAVING count(*) >= $3::int
 ORDER BY 3 DESC, 1, 2
 LIMIT $4::int
