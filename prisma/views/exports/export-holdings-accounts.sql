-- The accounts of the link $1 whose holdings were fetched.
SELECT account.pk::text AS pk
  FROM accounts account
  JOIN holdings_accounts known ON known.account_pk = account.pk
 WHERE account.link_pk = $1::bigint
 ORDER BY account.pk
