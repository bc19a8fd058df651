-- AlterTable
ALTER TABLE "links" ADD COLUMN     "imported_at" TIMESTAMPTZ(3),
ADD COLUMN     "match_rows" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "transaction_versions" ADD COLUMN     "original_id" TEXT;
