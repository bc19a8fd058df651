-- Counts the additions of a request to the use of its app, if all of them fit its bounds, and those of the part that its
-- key pair may take. The caller holds the lock of the app (app-lock.ts), so no other request of the app is counted in
-- between.
-- $1 app_id, $2 environment, then one array per column: $3 bounds, $4 days, $5 amounts to add, $6
-- amounts that must be free, $7 the limits of an app without its own. $8 false = only check. $9 the key pair with a share
-- of its own, or empty, $10 that share in percent, $11 the bounds that it applies to.
-- Returns the bounds that lack room, with the limit, and whether it is that of the pair.
WITH asked AS (
  SELECT *
    FROM unnest($3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[]) AS row(bound, day, amount, needed, usual)
),
standing AS MATERIALIZED (
  SELECT asked.bound, asked.day::date AS day, asked.amount, asked.needed, coalesce(own.most, asked.usual) AS max,
         CASE WHEN $9::text <> '' AND asked.bound = ANY($11::text[])
              THEN greatest(1, floor(coalesce(own.most, asked.usual)::numeric * $10::int / 100)) END AS max_of_pair,
         used.of_app, used.of_pair
    FROM asked
    LEFT JOIN app_limits own ON own.app_id = $1::text AND own.environment = $2::text AND own.bound = asked.bound
   CROSS JOIN LATERAL (
     SELECT coalesce(sum(used), 0) AS of_app, coalesce(sum(used) FILTER (WHERE client_id = $9::text), 0) AS of_pair
       FROM app_use
      WHERE app_id = $1::text AND environment = $2::text AND app_use.bound = asked.bound AND app_use.day = asked.day::date) used
),
exceeded AS MATERIALIZED (
  SELECT bound, max, false AS is_of_pair FROM standing WHERE of_app + needed > max
  UNION ALL
  SELECT bound, max_of_pair, true FROM standing WHERE of_pair + needed > max_of_pair
),
counted AS (
  INSERT INTO app_use (app_id, environment, bound, day, slot, client_id, used)
  SELECT $1::text, $2::text, bound, day, 0, CASE WHEN max_of_pair IS NULL THEN '' ELSE $9::text END, amount
    FROM standing
   WHERE $8::boolean AND amount <> 0 AND NOT EXISTS (SELECT FROM exceeded)
      ON CONFLICT (app_id, environment, bound, day, slot, client_id) DO UPDATE SET used = app_use.used + excluded.used
)
SELECT bound, max::float8 AS max, is_of_pair FROM exceeded ORDER BY bound, is_of_pair
