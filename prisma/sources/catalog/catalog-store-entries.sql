-- Entries that are new, changed or listed again. An entry keeps its institution.
-- $1 provider, $2 JSON array of entries
INSERT INTO catalog_entries AS stored (provider, remote_id, facts, facts_sha256, institution_id, matched_by, doubts)
SELECT $1::text, entry.remote_id, entry.facts, decode(entry.sha256, 'hex'), entry.institution_id, entry.matched_by, entry.doubts
  FROM jsonb_to_recordset($2::jsonb) AS entry (remote_id text, facts jsonb, sha256 text, institution_id text, matched_by text, doubts text[])
    ON CONFLICT (provider, remote_id) DO UPDATE
   SET facts = excluded.facts, facts_sha256 = excluded.facts_sha256, gone_since = NULL
 WHERE stored.facts_sha256 <> excluded.facts_sha256 OR stored.gone_since IS NOT NULL
