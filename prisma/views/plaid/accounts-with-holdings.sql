-- The ids of the open, permitted accounts of the link $1 that hold anything now.
SELECT account.account_id
  FROM accounts account
 WHERE account.link_pk = $1::bigint AND account.permitted AND NOT account.closed
   AND EXISTS (SELECT 1 FROM holdings holding WHERE holding.account_pk = account.pk AND holding.ended IS NULL)
