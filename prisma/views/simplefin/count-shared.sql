-- What a response for a finance app would show, each counted up to one more than its bound. The rows of pending
-- transactions and of closed accounts count as well, so that an index alone is read. $1 user_id, $2 app_id, $3
-- environment, $4 account ids or null for all, $5 first and $6 last day or null, $7 days without a first one, $8 with
-- rows, $9 real time, $10 bounds of links, $11 of accounts, $12 of rows, $13 of holdings.
WITH shown AS (
  SELECT links.pk,
         coalesce($5::date, coalesce($6::date, (coalesce(world.now, $9::timestamptz) AT TIME ZONE 'UTC')::date) + 1 - $7::int) AS first_day
    FROM links
    JOIN customer_users customer ON customer.pk = links.customer_user_pk
    LEFT JOIN sandbox_worlds world ON links.world_id <> 'default' AND world.app_id = links.app_id AND world.world_id = links.world_id
   WHERE customer.user_id = $1::text AND customer.app_id = $2::text AND customer.environment = $3::text
     AND (links.state = 'connected' OR (links.state = 'error' AND links.connected_at IS NOT NULL))
   LIMIT $10::int + 1
)
SELECT (SELECT count(*)::int FROM shown) AS links,
       (SELECT count(*)::int FROM (
          SELECT 1 FROM shown JOIN accounts account ON account.link_pk = shown.pk
           WHERE account.permitted AND NOT account.closed AND ($4::text[] IS NULL OR account.account_id = ANY($4::text[]))
           LIMIT $11::int + 1) AS listed) AS accounts,
       (SELECT count(*)::int FROM (
          SELECT 1 FROM shown JOIN transaction_versions version ON version.link_pk = shown.pk
           WHERE $8::boolean AND version.next_seq IS NULL AND NOT version.removed
             AND version.date >= shown.first_day AND version.date <= coalesce($6::date, 'infinity'::date)
             AND ($4::text[] IS NULL OR version.account_id = ANY($4::text[]))
           LIMIT $12::int + 1) AS found) AS rows,
       (SELECT count(*)::int FROM (
          SELECT 1 FROM shown
            JOIN accounts account ON account.link_pk = shown.pk
            JOIN holdings holding ON holding.account_pk = account.pk
           WHERE holding.ended IS NULL AND ($4::text[] IS NULL OR account.account_id = ANY($4::text[]))
           LIMIT $13::int + 1) AS held) AS holdings
