-- AlterTable
ALTER TABLE "link_sessions" ADD COLUMN     "succeeded_at" TIMESTAMPTZ(3);
