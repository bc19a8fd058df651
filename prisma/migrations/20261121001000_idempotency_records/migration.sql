-- CreateTable
CREATE TABLE "idempotency_records" (
    "scope_hash" BYTEA NOT NULL,
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "body_sha256" BYTEA NOT NULL,
    "outcome" BYTEA,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("scope_hash")
);

-- CreateIndex
CREATE INDEX "idempotency_records_expires_at_idx" ON "idempotency_records"("expires_at");

-- AlterTable
ALTER TABLE "exchangeable_tokens" ADD COLUMN "used_for" BYTEA;
