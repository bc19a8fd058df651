-- A claim steps over the index entries of first attempts that were made since the last vacuum. By default that comes when
-- a fifth of the table is dead, which with a million stored events is 200,000 entries in every claim.
ALTER TABLE "webhook_deliveries" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
ALTER TABLE "webhook_leases" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
