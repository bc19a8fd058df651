-- A link with its granted products and the products its institution offers. The including statement adds the condition.
SELECT links.pk, links.link_id, links.institution_id, links.provider, links.state, links.error_code, links.error_message, links.tags,
       links.webhook, links.webhook_disabled_at, links.permission_ends_at, links.connected_at, links.last_synced_at, links.deleted_at, links.created_at, links.updated_at, links.next_due_at, links.slow_due_at, links.interval_ms, links.slow_interval_ms, links.head_seq, links.revision, links.awaited_accounts,
       -- The default world follows real time, so the time of its row is ignored.
       CASE WHEN links.world_id <> 'default' THEN (SELECT world.now FROM sandbox_worlds world WHERE world.app_id = links.app_id AND world.world_id = links.world_id) END AS world_now,
       (SELECT customer.user_id FROM customer_users customer WHERE customer.pk = links.customer_user_pk) AS customer_user_id,
       institution.name AS institution_name,
       -- The provider of an imported link may not reach its institution; then the routes of the
       -- others count.
       coalesce(route.products, (SELECT array_agg(DISTINCT product) FROM institution_routes other, unnest(other.products) AS product
                                  WHERE other.institution_id = links.institution_id), '{}') AS supported_products,
       (SELECT coalesce(json_agg(status ORDER BY status.position), '[]')
          FROM link_products status
         WHERE status.link_pk = links.pk AND status.granted) AS products,
       -- The names of the accounts whose data was incomplete in a refresh.
       (SELECT json_object_agg(account.provider_account_id, json_build_object('account_id', account.account_id, 'name', account.name))
          FROM accounts account
         WHERE account.link_pk = links.pk AND account.permitted
           AND EXISTS (SELECT 1 FROM link_products status WHERE status.link_pk = links.pk AND status.incomplete <> '[]')) AS incomplete_accounts
  FROM links
  LEFT JOIN institutions institution ON institution.institution_id = links.institution_id
  LEFT JOIN institution_routes route ON route.institution_id = links.institution_id AND route.provider = links.provider
