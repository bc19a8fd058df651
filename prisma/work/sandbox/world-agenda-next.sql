-- The earliest event due in the world $2 of the app $1 until $3, with the facts about its link that
-- a scheduled refresh needs.
WITH due AS MATERIALIZED (
  SELECT at, kind, pk FROM (
    SELECT next_due_at AS at, 'refresh' AS kind, pk FROM links
     WHERE app_id = $1::text AND world_id = $2::text AND environment = 'sandbox' AND next_due_at <= $3::timestamptz
       AND (state = 'connected' OR (state = 'error' AND error_code IN ('institution_error', 'provider_error', 'system_error')))
    UNION ALL
    -- link-lifecycle 9: a deleted link is readable for 90 days.
    SELECT deleted_at + interval '90 days', 'purge', pk FROM links
     WHERE app_id = $1::text AND world_id = $2::text AND environment = 'sandbox' AND state = 'deleted'
       AND deleted_at + interval '90 days' <= $3::timestamptz
    UNION ALL
    SELECT end_notice_due_at, 'end_notice', pk FROM links
     WHERE app_id = $1::text AND world_id = $2::text AND environment = 'sandbox' AND end_notice_due_at <= $3::timestamptz
  ) entry ORDER BY at, kind, pk LIMIT 1
)
SELECT due.at, due.kind, links.link_id, links.institution_id, links.slow_due_at, customer.user_id, world.seed::text AS seed,
       (SELECT coalesce(json_agg(json_build_object('product', product, 'state', state, 'unavailable', unavailable) ORDER BY position), '[]')
          FROM link_products WHERE link_pk = due.pk AND granted) AS products
  FROM due
  JOIN links ON links.pk = due.pk
  JOIN customer_users customer ON customer.pk = links.customer_user_pk
  JOIN sandbox_worlds world ON world.app_id = $1::text AND world.world_id = $2::text
