-- The links of a customer user of one tenant that are not deleted, oldest first.
-- $1 user_id, $2 app_id, $3 environment.
-- include link-view
  JOIN customer_users customer ON customer.pk = links.customer_user_pk
 WHERE customer.user_id = $1::text AND customer.app_id = $2::text AND customer.environment = $3::text AND links.state <> 'deleted'
 ORDER BY links.pk
