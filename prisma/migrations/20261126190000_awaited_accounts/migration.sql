-- AlterTable
ALTER TABLE "links" ADD COLUMN     "awaited_accounts" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];
