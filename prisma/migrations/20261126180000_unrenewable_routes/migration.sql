-- AlterTable
ALTER TABLE "institution_routes" ADD COLUMN     "unrenewable_since" TIMESTAMPTZ(3);
