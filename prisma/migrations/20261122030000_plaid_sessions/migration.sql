-- AlterTable
ALTER TABLE "api_clients" ADD COLUMN     "ignores_unoffered_products" BOOLEAN NOT NULL DEFAULT true;

-- AlterTable
ALTER TABLE "link_sessions" ADD COLUMN     "plaid" JSONB,
ADD COLUMN     "sealed_link_token" BYTEA,
ADD COLUMN     "sealed_public_token" BYTEA;
