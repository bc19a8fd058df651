-- Attempts under way, apart from the deliveries: to take and to end one touches no index of the log.
CREATE TABLE "webhook_leases" (
    "delivery_pk" BIGINT NOT NULL,
    "endpoint" TEXT NOT NULL,
    "leased_by" BIGINT NOT NULL,
    "slots" INTEGER NOT NULL,
    "leased_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_leases_pkey" PRIMARY KEY ("delivery_pk")
);
CREATE INDEX "webhook_leases_endpoint_idx" ON "webhook_leases"("endpoint");
-- Nothing is lost: what was under way is made again.
DROP INDEX "webhook_deliveries_in_flight";
ALTER TABLE "webhook_deliveries" DROP COLUMN "leased_until", ADD COLUMN "in_workflow" BOOLEAN NOT NULL DEFAULT false;
UPDATE "webhook_deliveries" SET "in_workflow" = true WHERE "status" = 'pending' AND "attempts" >= 1;

DROP INDEX "webhook_deliveries_due";
DROP INDEX "webhook_deliveries_first";
-- First attempts that wait, by endpoint: a claim takes a few of each without reading the backlog of a dead one, nor what is due later.
CREATE INDEX "webhook_deliveries_first" ON "webhook_deliveries" ("endpoint", "pk", "next_attempt_at") WHERE "status" = 'pending' AND "attempts" = 0;
-- Later attempts: those whose delivery has a workflow, and those that wait for one.
CREATE INDEX "webhook_deliveries_in_workflow" ON "webhook_deliveries" ("endpoint", "next_attempt_at") WHERE "status" = 'pending' AND "in_workflow";
CREATE INDEX "webhook_deliveries_overdue" ON "webhook_deliveries" ("next_attempt_at", "pk") WHERE "status" = 'pending' AND "in_workflow";
CREATE INDEX "webhook_deliveries_waiting" ON "webhook_deliveries" ("endpoint", "next_attempt_at", "pk") WHERE "status" = 'pending' AND "attempts" >= 1 AND NOT "in_workflow";
