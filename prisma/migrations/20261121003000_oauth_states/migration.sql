-- AlterTable
ALTER TABLE "link_sessions" ADD COLUMN     "resumed_without_token" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "oauth_states" (
    "session_id" TEXT NOT NULL,
    "way" TEXT NOT NULL,
    "attempt_key" TEXT NOT NULL,
    "state_hash" BYTEA NOT NULL,
    "return_hash" BYTEA NOT NULL,
    "issuer" TEXT,
    "redirect_uri" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "returned_at" TIMESTAMPTZ(3),
    "holder" BYTEA,
    "redeemed_at" TIMESTAMPTZ(3),
    "sealed_return_id" BYTEA NOT NULL,
    "sealed_address" BYTEA NOT NULL,
    "sealed_provider_state" BYTEA NOT NULL,
    "sealed_callback" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "oauth_states_pkey" PRIMARY KEY ("session_id","way")
);

-- CreateIndex
CREATE UNIQUE INDEX "oauth_states_state_hash_key" ON "oauth_states"("state_hash");

-- CreateIndex
CREATE UNIQUE INDEX "oauth_states_return_hash_key" ON "oauth_states"("return_hash");

-- AddForeignKey
ALTER TABLE "oauth_states" ADD CONSTRAINT "oauth_states_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "link_sessions"("session_id") ON DELETE CASCADE ON UPDATE CASCADE;
