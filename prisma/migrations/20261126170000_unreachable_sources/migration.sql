-- AlterTable
ALTER TABLE "provider_configurations" ADD COLUMN     "unreachable" TEXT[] DEFAULT ARRAY[]::TEXT[];
