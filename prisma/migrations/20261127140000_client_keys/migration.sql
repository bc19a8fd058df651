-- CreateTable
CREATE TABLE "client_secrets" (
    "secret_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "label" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ends_at" TIMESTAMPTZ(3),
    "tokens_ended_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(0),

    CONSTRAINT "client_secrets_pkey" PRIMARY KEY ("secret_id")
);

-- CreateIndex
CREATE INDEX "client_secrets_client_id_idx" ON "client_secrets"("client_id");

-- AddForeignKey
ALTER TABLE "client_secrets" ADD CONSTRAINT "client_secrets_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "api_clients"("client_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The secret of each pair becomes its first one. Ids made here have other characters than later ones.
INSERT INTO "client_secrets" ("secret_id", "client_id", "secret_hash", "created_at")
SELECT 'sec_' || left(md5("client_id"), 22), "client_id", "secret_hash", "created_at" FROM "api_clients";

-- AlterTable
ALTER TABLE "api_clients" DROP COLUMN "secret_hash";

-- AlterTable
ALTER TABLE "access_tokens" ADD COLUMN     "secret_id" TEXT;

-- AlterTable
ALTER TABLE "api_clients" ADD COLUMN     "ends_at" TIMESTAMPTZ(3),
ADD COLUMN     "label" TEXT,
ADD COLUMN     "restriction" JSONB,
ADD COLUMN     "scopes" JSONB;
