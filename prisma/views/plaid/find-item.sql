-- The link of an access token of the compatibility layer, with the facts that only that layer
-- shows.
-- $1 SHA-256 of the token, $2 app_id, $3 environment.
SELECT links.link_id, links.error_cause, links.created_at, links.institution_alias, links.webhook_format, links.webhook_sent_at, links.webhook_sent_code,
       links.history_days, links.sync_started_at, links.permission_ends_at,
       coalesce(institution.login = 'oauth', false) AS is_oauth,
       -- Most links are in the default world, which has no limits of its own, so its row is not read.
       coalesce(CASE WHEN links.world_id <> 'default' THEN (SELECT world.enforce_refresh_limits FROM sandbox_worlds world
                                                             WHERE world.app_id = links.app_id AND world.world_id = links.world_id) END, false) AS has_refresh_limits,
       EXISTS (SELECT FROM accounts JOIN account_numbers numbers ON numbers.account_pk = accounts.pk
                WHERE accounts.link_pk = links.pk AND accounts.permitted AND NOT accounts.closed) AS has_numbers
  FROM item_access_tokens token
  JOIN links ON links.pk = token.link_pk
  LEFT JOIN institutions institution ON institution.institution_id = links.institution_id
 WHERE token.token_hash = $1::bytea AND token.revoked_at IS NULL AND links.app_id = $2::text AND links.environment = $3::text
