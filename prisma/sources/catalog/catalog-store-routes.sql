-- Routes of listed entries. A provider has one route to an institution: an entry whose place is taken has none.
-- $1 provider, $2 remote ids
INSERT INTO institution_routes AS stored (institution_id, provider, remote_id, login, products, health)
SELECT entry.institution_id, entry.provider, entry.remote_id, entry.facts ->> 'login',
       ARRAY (SELECT jsonb_array_elements_text(entry.facts -> 'products')), coalesce(entry.facts ->> 'health', 'operational')
  FROM (SELECT DISTINCT ON (institution_id) * FROM catalog_entries
         WHERE provider = $1::text AND remote_id = ANY ($2::text[]) AND gone_since IS NULL
         ORDER BY institution_id, created_at, remote_id) AS entry
    ON CONFLICT (institution_id, provider) DO UPDATE
   SET login = excluded.login, products = excluded.products, health = excluded.health
 WHERE stored.remote_id = excluded.remote_id
   AND (stored.login, stored.products, stored.health) IS DISTINCT FROM (excluded.login, excluded.products, excluded.health)
