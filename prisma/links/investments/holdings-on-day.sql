-- The holdings of the next accounts of a link on a day. $1 link_pk, $2 account ids or null for all, $3 the account to begin
-- with, $4 the day, $5 the number of accounts.
SELECT account.pk, kept.account, kept.holdings
  FROM accounts account
  JOIN LATERAL (
       SELECT day.account, day.holdings FROM holding_days day
        WHERE day.account_pk = account.pk AND day.day <= $4::date ORDER BY day.day DESC LIMIT 1) AS kept ON true
 WHERE account.link_pk = $1::bigint AND account.permitted AND NOT account.closed
   AND ($2::text[] IS NULL OR account.account_id = ANY($2::text[]))
   AND account.pk >= $3::bigint
 ORDER BY account.pk
 LIMIT $5::int
