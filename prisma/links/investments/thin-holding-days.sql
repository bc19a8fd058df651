-- Removes days of holdings that are more than $3 milliseconds old by the clock of their link, but for the last of each month:
-- of the $4 accounts after the key $1, at most $5 days each. $2 is real time, which the default world follows.
WITH next AS (
  SELECT account.pk, ((coalesce(world.now, $2::timestamptz) - $3::float8 * interval '1 ms') AT TIME ZONE 'UTC')::date AS before
    FROM (SELECT account_pk FROM holdings_accounts WHERE account_pk > $1::bigint ORDER BY account_pk LIMIT $4::int) AS known
    JOIN accounts account ON account.pk = known.account_pk
    JOIN links link ON link.pk = account.link_pk
    LEFT JOIN sandbox_worlds world ON world.app_id = link.app_id AND world.world_id = link.world_id
),
old AS (
  SELECT thinned.account_pk, thinned.day
    FROM next
   CROSS JOIN LATERAL (
         SELECT kept.account_pk, kept.day FROM holding_days kept
          WHERE kept.account_pk = next.pk AND kept.day < next.before
            AND EXISTS (SELECT FROM holding_days later
                         WHERE later.account_pk = kept.account_pk AND later.day > kept.day
                           AND later.day < date_trunc('month', kept.day::timestamp) + interval '1 month')
          ORDER BY kept.day LIMIT $5::int
            FOR UPDATE OF kept SKIP LOCKED) AS thinned
),
gone AS (
  DELETE FROM holding_days USING old
   WHERE holding_days.account_pk = old.account_pk AND holding_days.day = old.day
  RETURNING holding_days.day
)
SELECT (SELECT max(pk) FROM next)::text AS last, (SELECT count(*) FROM gone)::int AS removed
