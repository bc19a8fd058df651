-- A link with its granted products and what its institution offers; which one says the statement that includes this.
SELECT links.pk, links.link_id, links.institution_id, links.provider, links.state, links.error_code, links.error_message, links.tags,
       links.webhook, links.webhook_disabled_at, links.connected_at, links.last_synced_at, links.deleted_at, links.head_seq, links.revision,
       -- The default world follows real time: its row, if there is one, says no time.
       CASE WHEN links.world_id <> 'default' THEN (SELECT world.now FROM sandbox_worlds world WHERE world.app_id = links.app_id AND world.world_id = links.world_id) END AS world_now,
       institution.name AS institution_name, institution.logo_url AS institution_logo_url,
       -- An imported link may name a provider that does not reach its institution: what any other could add.
       coalesce(route.products, (SELECT array_agg(DISTINCT product) FROM institution_routes other, unnest(other.products) AS product
                                  WHERE other.institution_id = links.institution_id), '{}') AS supported_products,
       (SELECT coalesce(json_agg(status ORDER BY status.position), '[]')
          FROM link_products status
         WHERE status.link_pk = links.pk AND status.granted) AS products
  FROM links
  LEFT JOIN institutions institution ON institution.institution_id = links.institution_id
  LEFT JOIN institution_routes route ON route.institution_id = links.institution_id AND route.provider = links.provider
