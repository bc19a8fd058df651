-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "missing_since" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "link_products" ADD COLUMN     "incomplete" JSONB NOT NULL DEFAULT '[]';
