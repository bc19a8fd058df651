-- Every link that is stored of a customer user, deleted ones too; the next page begins behind its last key.
-- $1 customer_user_pk, $2 the key before the page, $3 its size.
-- include link-view
 WHERE links.customer_user_pk = $1::bigint AND links.pk > $2::bigint
 ORDER BY links.pk LIMIT $3::int
