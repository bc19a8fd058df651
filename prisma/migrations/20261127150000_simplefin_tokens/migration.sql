-- CreateTable
CREATE TABLE "simplefin_tokens" (
    "token_id" TEXT NOT NULL,
    "customer_user_pk" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "setup_hash" BYTEA NOT NULL,
    "credential_hash" BYTEA,
    "claimed_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "voided_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "simplefin_tokens_pkey" PRIMARY KEY ("token_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "simplefin_tokens_setup_hash_key" ON "simplefin_tokens"("setup_hash");

-- CreateIndex
CREATE UNIQUE INDEX "simplefin_tokens_credential_hash_key" ON "simplefin_tokens"("credential_hash");

-- CreateIndex
CREATE INDEX "simplefin_tokens_customer_user_pk_created_at_idx" ON "simplefin_tokens"("customer_user_pk", "created_at");

-- AddForeignKey
ALTER TABLE "simplefin_tokens" ADD CONSTRAINT "simplefin_tokens_customer_user_pk_fkey" FOREIGN KEY ("customer_user_pk") REFERENCES "customer_users"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
