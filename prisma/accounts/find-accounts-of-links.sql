-- The open, permitted accounts of several links, in the institution's order. $1 link keys, $2 account ids or
-- null for all.
SELECT account.link_pk, account.account_id, account.account_type, account.name, account.nickname, account.mask, account.closed, account.missing_since, account.original_id,
       account.currency, account.available::text, account."current"::text, account."limit"::text, account.balance_date
  FROM accounts account
 WHERE account.link_pk = ANY($1::bigint[]) AND ($2::text[] IS NULL OR account.account_id = ANY($2::text[]))
   AND account.permitted AND NOT account.closed
 ORDER BY account.link_pk, account.position, account.pk
