-- The accounts with holdings of a link. $1 link_pk, $2 account ids or null for all, $3 the account to begin with, $4 the one
-- to end before or null.
SELECT known.body
  FROM accounts account
  JOIN holdings_accounts known ON known.account_pk = account.pk
 WHERE account.link_pk = $1::bigint AND account.permitted AND NOT account.closed
   AND ($2::text[] IS NULL OR account.account_id = ANY($2::text[]))
   AND account.pk >= $3::bigint AND ($4::bigint IS NULL OR account.pk < $4::bigint)
 ORDER BY account.pk
