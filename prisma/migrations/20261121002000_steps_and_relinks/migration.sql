-- AlterTable
ALTER TABLE "link_sessions" ADD COLUMN     "granted_products" JSONB,
ADD COLUMN     "provider" TEXT,
ADD COLUMN     "sandbox_data" JSONB,
ADD COLUMN     "tags_given" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "webhook_given" BOOLEAN NOT NULL DEFAULT true;

-- At most one session of a link that is under way.
CREATE INDEX "link_sessions_relinks" ON "link_sessions" ("existing_link_id") WHERE "state" IN ('created', 'open');
