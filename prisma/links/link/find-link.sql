-- A link of one tenant. Also a part of sync-page.
-- $1 link_id, $2 app_id, $3 environment.
-- include link-view
 WHERE links.link_id = $1::text AND links.app_id = $2::text AND links.environment = $3::text
