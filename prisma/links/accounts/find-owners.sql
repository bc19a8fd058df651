-- The owners of accounts as JSON fragments, without the surrounding brackets. $1 account ids.
SELECT account.account_id, string_agg(owner.body, ',' ORDER BY owner.position) AS owners
  FROM accounts account
  JOIN account_owners owner ON owner.account_pk = account.pk
 WHERE account.account_id = ANY($1::text[])
 GROUP BY account.account_id
