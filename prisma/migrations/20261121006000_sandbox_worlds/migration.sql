-- AlterTable
ALTER TABLE "link_products" ADD COLUMN     "attempt_began_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "sandbox_worlds" (
    "app_id" TEXT NOT NULL,
    "world_id" TEXT NOT NULL,
    "source_ref" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "seed" BIGINT NOT NULL,
    "now" TIMESTAMPTZ(3),
    "advancing_to" TIMESTAMPTZ(3),
    "ran" JSONB,
    "enforce_refresh_limits" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sandbox_worlds_pkey" PRIMARY KEY ("app_id","world_id")
);

-- CreateTable
CREATE TABLE "sandbox_requests" (
    "request_id" TEXT NOT NULL,
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "sealed_input" BYTEA NOT NULL,
    "sealed_output" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sandbox_requests_pkey" PRIMARY KEY ("request_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_worlds_source_ref_key" ON "sandbox_worlds"("source_ref");

-- CreateIndex
CREATE INDEX "sandbox_requests_created_at_idx" ON "sandbox_requests"("created_at");

-- CreateIndex
CREATE INDEX "links_app_id_world_id_idx" ON "links"("app_id", "world_id");
