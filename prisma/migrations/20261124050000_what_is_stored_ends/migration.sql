-- AlterTable
ALTER TABLE "customer_users" ADD COLUMN     "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateTable
CREATE TABLE "user_erasures" (
    "erasure_id" TEXT NOT NULL,
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "customer_user_pk" BIGINT,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "erased_at" TIMESTAMPTZ(3),

    CONSTRAINT "user_erasures_pkey" PRIMARY KEY ("erasure_id")
);

-- CreateTable
CREATE TABLE "unrevoked_permissions" (
    "pk" BIGSERIAL NOT NULL,
    "link_id" TEXT NOT NULL,
    "institution_id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "reference" TEXT,
    "reason" TEXT NOT NULL,
    "reported_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "unrevoked_permissions_pkey" PRIMARY KEY ("pk")
);

-- CreateIndex
CREATE INDEX "user_erasures_erased_at_requested_at_idx" ON "user_erasures"("erased_at", "requested_at");

-- CreateIndex
CREATE INDEX "unrevoked_permissions_link_id_idx" ON "unrevoked_permissions"("link_id");

-- CreateIndex
CREATE INDEX "unrevoked_permissions_reported_at_idx" ON "unrevoked_permissions"("reported_at");

-- CreateIndex
CREATE INDEX "unrevoked_permissions_created_at_idx" ON "unrevoked_permissions"("created_at");

-- CreateIndex
CREATE INDEX "customer_users_last_used_at_idx" ON "customer_users"("last_used_at");

-- CreateIndex
CREATE INDEX "link_sessions_app_id_environment_state_expires_at_idx" ON "link_sessions"("app_id", "environment", "state", "expires_at");

-- CreateIndex
CREATE INDEX "link_sessions_ended_at_idx" ON "link_sessions"("ended_at");

-- CreateIndex
CREATE INDEX "link_sessions_customer_user_pk_idx" ON "link_sessions"("customer_user_pk");
