-- AlterTable
ALTER TABLE "link_sessions" ADD COLUMN     "browser_hash" BYTEA,
ADD COLUMN     "browser_request_id" TEXT,
ADD COLUMN     "finished_at" TIMESTAMPTZ(3);
