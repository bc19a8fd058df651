-- The schedule of refreshes, and what operators say of it. A fetch has its name by the moment it began: fetch_no goes.
ALTER TABLE "link_products" DROP COLUMN "fetch_no";

ALTER TABLE "links" ADD COLUMN     "slow_due_at" TIMESTAMPTZ(3);

CREATE TABLE "refresh_controls" (
    "scope" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "paused_until" TIMESTAMPTZ(3),
    "interval_ms" BIGINT,
    "slow_interval_ms" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "refresh_controls_pkey" PRIMARY KEY ("scope","name")
);

CREATE INDEX "links_world_id_next_due_at_idx" ON "links"("world_id", "next_due_at");

-- Links that are connected have a place in the schedule from now on.
UPDATE "links" SET "next_due_at" = now() WHERE "connected_at" IS NOT NULL AND ("state" = 'connected' OR ("state" = 'error' AND "error_code" IN ('institution_error', 'provider_error', 'system_error')));
