-- A key pair with the secrets that work. Runs for each check of a pair. $1 client_id, $2 now.
SELECT c.client_id, c.app_id, c.environment, c.ignores_unoffered_products,
       c.disabled_at IS NULL AND (c.ends_at IS NULL OR c.ends_at > $2::timestamptz) AS is_active,
       c.scopes AS pair_scopes, c.restriction, c.share_percent,
       coalesce((SELECT json_agg(json_build_object('secretId', s.secret_id, 'secretHash', s.secret_hash, 'lastUsedAt', s.last_used_at))
                   FROM client_secrets s
                  WHERE s.client_id = c.client_id AND (s.ends_at IS NULL OR s.ends_at > $2::timestamptz)), '[]') AS secrets
  FROM api_clients c
 WHERE c.client_id = $1::text
