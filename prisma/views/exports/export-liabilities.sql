-- The debts of all accounts of the link $1 after the key $2, $3 of them.
SELECT account.pk::text AS key, liability.body
  FROM accounts account
  JOIN liabilities liability ON liability.account_pk = account.pk
 WHERE account.link_pk = $1::bigint AND account.pk > $2::bigint
 ORDER BY account.pk
 LIMIT $3::int
