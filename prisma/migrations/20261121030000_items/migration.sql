-- AlterTable
ALTER TABLE "links" ADD COLUMN     "history_days" INTEGER,
ADD COLUMN     "institution_alias" TEXT,
ADD COLUMN     "sync_started_at" TIMESTAMPTZ(3),
ADD COLUMN     "webhook_format" TEXT NOT NULL DEFAULT 'native',
ADD COLUMN     "webhook_sent_at" TIMESTAMPTZ(3),
ADD COLUMN     "webhook_sent_code" TEXT;

-- CreateTable
CREATE TABLE "item_access_tokens" (
    "token_hash" BYTEA NOT NULL,
    "link_pk" BIGINT NOT NULL,
    "client_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "item_access_tokens_pkey" PRIMARY KEY ("token_hash")
);

-- CreateIndex
CREATE INDEX "item_access_tokens_link_pk_idx" ON "item_access_tokens"("link_pk");

-- AddForeignKey
ALTER TABLE "item_access_tokens" ADD CONSTRAINT "item_access_tokens_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "links"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
