-- The listed facts of some institutions, by provider.
-- $1 institution ids
SELECT institution_id, provider, facts FROM catalog_entries WHERE institution_id = ANY ($1::text[]) AND gone_since IS NULL
