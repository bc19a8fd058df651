-- Every stored link of a customer user, including deleted ones; the next page starts after its last key. $1
-- customer_user_pk, $2 the key before the page, $3 its size.
-- include link-view
 WHERE links.customer_user_pk = $1::bigint AND links.pk > $2::bigint
 ORDER BY links.pk LIMIT $3::int
