-- The stored rows of one provider's list: its entries, and routes that did not come from a list.
-- $1 provider
SELECT remote_id, encode(entry.facts_sha256, 'hex') AS sha256, coalesce(entry.institution_id, route.institution_id) AS institution_id,
       entry.institution_id IS NOT NULL AND entry.gone_since IS NULL AS is_listed, route.institution_id IS NOT NULL AS has_route
  FROM (SELECT * FROM catalog_entries WHERE provider = $1::text) AS entry
  FULL JOIN (SELECT * FROM institution_routes WHERE provider = $1::text) AS route USING (remote_id)
