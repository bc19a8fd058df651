-- CreateTable
CREATE TABLE "token_call_buckets" (
    "key_hash" BYTEA NOT NULL,
    "calls" DOUBLE PRECISION NOT NULL,
    "filled_at" TIMESTAMPTZ(3) NOT NULL,
    "taken" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "token_call_buckets_pkey" PRIMARY KEY ("key_hash")
);

-- CreateIndex
CREATE INDEX "token_call_buckets_filled_at_idx" ON "token_call_buckets"("filled_at");
