-- AlterTable
ALTER TABLE "link_sessions" ADD COLUMN     "attempt_key" TEXT;
