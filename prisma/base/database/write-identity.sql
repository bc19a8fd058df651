-- Writes the identity that find-identity has read. $1 system identifier, $2 database oid, $3
-- timeline, $4 also replaces a different known one.
INSERT INTO database_identity AS known (pk, system_identifier, database_oid, timeline, written_in)
VALUES (1, $1::bigint, $2::bigint, $3::bigint, pg_current_xact_id()::text::bigint)
ON CONFLICT (pk) DO UPDATE
   SET system_identifier = excluded.system_identifier, database_oid = excluded.database_oid,
       timeline = excluded.timeline, written_in = excluded.written_in, created_at = excluded.created_at
 WHERE $4::boolean
