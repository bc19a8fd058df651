-- CreateTable
CREATE TABLE "app_use" (
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "bound" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "slot" SMALLINT NOT NULL,
    "used" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "app_use_pkey" PRIMARY KEY ("app_id","environment","bound","day","slot")
);

-- CreateTable
CREATE TABLE "app_limits" (
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "bound" TEXT NOT NULL,
    "most" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "app_limits_pkey" PRIMARY KEY ("app_id","environment","bound")
);

-- What apps hold already.
INSERT INTO app_use (app_id, environment, bound, day, slot, used)
SELECT app_id, environment, 'links', DATE '1970-01-01', 0, count(*)
  FROM links WHERE state <> 'deleted' AND environment <> 'erased' GROUP BY app_id, environment;
INSERT INTO app_use (app_id, environment, bound, day, slot, used)
SELECT app_id, CASE environment WHEN 'erased' THEN 'sandbox' ELSE environment END, 'rows', DATE '1970-01-01', 0, sum(versions)
  FROM links JOIN (SELECT link_pk, count(*) AS versions FROM transaction_versions GROUP BY link_pk) AS held ON held.link_pk = links.pk
 GROUP BY 1, 2;
