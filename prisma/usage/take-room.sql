-- Counts the additions of a request to the use of its app, if all of them fit its bounds. The
-- caller holds the lock of the app (app-lock.ts), so no other request of the app is counted in
-- between.
-- $1 app_id, $2 environment, then one array per column: $3 bounds, $4 days, $5 amounts to add, $6
-- amounts that must be free, $7 the limits of an app without its own. $8 false = only check.
-- Returns the bounds that lack room, with the limit.
WITH asked AS (
  SELECT *
    FROM unnest($3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[]) AS row(bound, day, amount, needed, usual)
),
standing AS MATERIALIZED (
  SELECT asked.bound, asked.day::date AS day, asked.amount, asked.needed, coalesce(own.most, asked.usual) AS max,
         (SELECT coalesce(sum(used), 0) FROM app_use
           WHERE app_id = $1::text AND environment = $2::text AND app_use.bound = asked.bound AND app_use.day = asked.day::date) AS used
    FROM asked
    LEFT JOIN app_limits own ON own.app_id = $1::text AND own.environment = $2::text AND own.bound = asked.bound
),
exceeded AS MATERIALIZED (
  SELECT bound, max FROM standing WHERE used + needed > max
),
counted AS (
  INSERT INTO app_use (app_id, environment, bound, day, slot, used)
  SELECT $1::text, $2::text, bound, day, 0, amount
    FROM standing
   WHERE $8::boolean AND amount <> 0 AND NOT EXISTS (SELECT FROM exceeded)
      ON CONFLICT (app_id, environment, bound, day, slot) DO UPDATE SET used = app_use.used + excluded.used
)
SELECT bound, max::float8 AS max FROM exceeded ORDER BY bound
