-- When an institution ends the permission of a link by itself, and when its client is to be told so (plaid-compat 8.1).
ALTER TABLE "links" ADD COLUMN "permission_ends_at" TIMESTAMPTZ(3), ADD COLUMN "end_notice_due_at" TIMESTAMPTZ(3);
-- Only links that have something to be told of are in it, so looking for them costs nothing where there are none.
CREATE INDEX "links_end_notice" ON "links" ("world_id", "end_notice_due_at") WHERE "end_notice_due_at" IS NOT NULL;
