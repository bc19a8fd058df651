-- The links of a customer user of one tenant that are not deleted, oldest first. $1 user_id, $2 app_id, $3
-- environment, $4 institution ids or null for all, $5 key of the previous link, $6 limit or null,
-- $7 the only link ids, or null for all.
-- include link-view
  JOIN customer_users customer ON customer.pk = links.customer_user_pk
 WHERE customer.user_id = $1::text AND customer.app_id = $2::text AND customer.environment = $3::text AND links.state <> 'deleted'
   AND ($4::text[] IS NULL OR links.institution_id = ANY($4::text[]))
   AND ($7::text[] IS NULL OR links.link_id = ANY($7::text[]))
   AND links.pk > $5::bigint
 ORDER BY links.pk
 LIMIT $6::int
