-- AlterTable
ALTER TABLE "route_decisions" ADD COLUMN "failed_cause" TEXT;
