-- The token of a credential, its user, and the end of the key pair that created it. An app without an enabled key pair in the environment serves nothing. $1
-- credential_hash.
SELECT token.token_id, token.created_at, token.claimed_at, token.last_used_at, token.voided_at,
       customer.user_id, customer.app_id, customer.environment, maker.ends_at AS maker_ends_at
  FROM simplefin_tokens token
  JOIN customer_users customer ON customer.pk = token.customer_user_pk
  LEFT JOIN api_clients maker ON maker.client_id = token.client_id
 WHERE token.credential_hash = $1
   AND EXISTS (SELECT FROM api_clients client
                WHERE client.app_id = customer.app_id AND client.environment = customer.environment
                  AND client.disabled_at IS NULL AND (client.ends_at IS NULL OR client.ends_at > now()))
