-- Requests of apps and their limits, the fence of a single try, and runs that failed in a row.
ALTER TABLE "link_products" ADD COLUMN     "requested_at" TIMESTAMPTZ(3),
ADD COLUMN     "fetched_in_run" BIGINT,
ADD COLUMN     "fetch_no" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "attempt_no" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "error_cause" TEXT;

ALTER TABLE "links" ADD COLUMN     "finished_run" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "faulty_runs" INTEGER NOT NULL DEFAULT 0;
