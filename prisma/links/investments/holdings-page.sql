-- Holdings of the open, permitted accounts of a link, in the order of accounts and places. A page counts holdings and their
-- lots; the row after it has no body. $1 link_pk, $2 account ids or null for all, $3 account and $4 place to begin with,
-- $5 limit.
WITH held AS (
  SELECT holding.pk, holding.account_pk, holding.place, holding.rows
    FROM accounts account
    JOIN holdings holding ON holding.account_pk = account.pk AND holding.ended IS NULL
   WHERE account.link_pk = $1::bigint AND account.permitted AND NOT account.closed
     AND ($2::text[] IS NULL OR account.account_id = ANY($2::text[]))
     AND (holding.account_pk, holding.place) >= ($3::bigint, $4::int)
   ORDER BY holding.account_pk, holding.place
   LIMIT $5::int + 1
),
counted AS (
  SELECT held.*, sum(rows) OVER listing AS total, row_number() OVER listing AS number
    FROM held WINDOW listing AS (ORDER BY account_pk, place)
)
SELECT counted.account_pk, counted.place,
       CASE WHEN counted.total <= $5::int OR counted.number = 1 THEN holding.body END AS body,
       holding.first_seen::text AS first_seen
  FROM counted
  JOIN holdings holding USING (pk)
 WHERE counted.total - counted.rows <= $5::int OR counted.number = 2
 ORDER BY counted.account_pk, counted.place
