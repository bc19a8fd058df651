-- Removes those of the $2 securities after the key $1 that no holding and no investment transaction has. One that was merged
-- into another, or belonged to a holding, stays as long as that one: days of the past name it.
WITH next AS (
  SELECT pk FROM securities WHERE pk > $1::bigint ORDER BY pk LIMIT $2::int
),
unused AS (
  SELECT security.pk
    FROM securities security
   WHERE security.pk IN (SELECT pk FROM next)
     AND NOT EXISTS (SELECT FROM holdings WHERE holdings.security_pk = security.pk)
     AND NOT EXISTS (SELECT FROM holdings WHERE holdings.holding_id = security.belongs_to)
     AND NOT EXISTS (SELECT FROM investment_transaction_versions version WHERE version.security_id = security.security_id)
     AND NOT EXISTS (SELECT FROM securities older WHERE older.security_id = security.merged_into)
   ORDER BY security.pk
     FOR UPDATE SKIP LOCKED
),
gone AS (
  DELETE FROM securities USING unused WHERE securities.pk = unused.pk RETURNING securities.pk
)
SELECT (SELECT max(pk) FROM next)::text AS last, (SELECT count(*) FROM gone)::int AS removed
