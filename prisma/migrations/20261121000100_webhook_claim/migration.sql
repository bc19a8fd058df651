-- First attempts that wait, by endpoint: a claim takes a few of each without reading the backlog of a dead one.
CREATE INDEX "webhook_deliveries_first" ON "webhook_deliveries" ("endpoint", "pk") WHERE "status" = 'pending' AND "attempts" = 0;
