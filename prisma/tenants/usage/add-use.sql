-- Counts additions to and removals from the use of an app, regardless of its bounds.
-- $1 app_id, $2 environment, $3 slot, then one array per column: $4 bounds, $5 days, $6 amounts; $7 the key pair with a
-- share of its own, or empty.
INSERT INTO app_use (app_id, environment, bound, day, slot, client_id, used)
SELECT $1::text, $2::text, bound, day::date, $3::int, $7::text, amount
  FROM unnest($4::text[], $5::text[], $6::bigint[]) AS row(bound, day, amount)
 ORDER BY bound
    ON CONFLICT (app_id, environment, bound, day, slot, client_id) DO UPDATE SET used = app_use.used + excluded.used
