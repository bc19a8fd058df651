-- Sealed numbers of accounts. $1 account ids.
SELECT account.account_id, number.sealed
  FROM accounts account
  JOIN account_numbers number ON number.account_pk = account.pk
 WHERE account.account_id = ANY($1::text[])
