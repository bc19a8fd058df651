-- The aliases that one provider reports for its entries. Those of other providers stay.
-- $1 provider, $2 remote ids
WITH reported AS (
  SELECT entry.institution_id, alias
    FROM catalog_entries entry
    LEFT JOIN LATERAL jsonb_array_elements_text(entry.facts -> 'aliases') AS alias ON true
   WHERE entry.provider = $1::text AND entry.remote_id = ANY ($2::text[])),
withdrawn AS (
  DELETE FROM institution_aliases stored
   WHERE stored.provider = $1::text AND stored.institution_id IN (SELECT institution_id FROM reported)
     AND NOT EXISTS (SELECT FROM reported WHERE reported.institution_id = stored.institution_id AND reported.alias = stored.alias))
INSERT INTO institution_aliases (alias, institution_id, provider)
SELECT DISTINCT ON (alias) alias, institution_id, $1::text FROM reported WHERE alias IS NOT NULL ORDER BY alias, institution_id
    ON CONFLICT (alias) DO NOTHING
