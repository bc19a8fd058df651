-- A lease says that somebody is about to make an attempt. After a crash of the database nothing is known of that anyway,
-- and what was under way is made again: at least once. It is not worth a record in the log of the database.
ALTER TABLE "webhook_leases" SET UNLOGGED;
