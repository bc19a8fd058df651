-- The identity of this database, according to the server and to the row. Runs on every new
-- connection; a plain role may.
SELECT server.system_identifier::text AS system_identifier, server.database_oid::text AS database_oid,
       server.timeline::text AS timeline, known.pk IS NOT NULL AS is_known,
       known.system_identifier = server.system_identifier AS same_server,
       known.database_oid = server.database_oid AS same_database,
       known.timeline = server.timeline AS same_timeline,
       -- A row copied by a restore was written by a transaction of the restore. `xmin` has the
       -- lower 32 bits.
       known.written_in % 4294967296 = known.xmin::text::bigint AS same_row
  FROM (SELECT (SELECT control.system_identifier FROM pg_control_system() control) AS system_identifier,
               (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) AS database_oid,
               -- The timeline of pg_control_checkpoint() is the old one until the first checkpoint
               -- after a promotion.
               -- Null: a standby, which has no write position.
               CASE WHEN NOT pg_is_in_recovery()
                    THEN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint
               END AS timeline) AS server
  LEFT JOIN database_identity known ON known.pk = 1
