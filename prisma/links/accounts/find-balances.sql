-- The recorded balances of an account of a tenant, oldest first: those of the days from $4 to $5, and the last ones
-- before. $1 app_id, $2 environment, $3 account_id.
WITH account AS (
  SELECT account.pk FROM accounts account JOIN links ON links.pk = account.link_pk
   WHERE account.account_id = $3 AND links.app_id = $1 AND links.environment = $2 AND links.state <> 'deleted'
)
SELECT recorded.day::text AS day, recorded.currency, recorded.available::text, recorded."current"::text, recorded."limit"::text, recorded.balance_date
  FROM account JOIN account_balances recorded ON recorded.account_pk = account.pk
 WHERE recorded.day <= $5::date
   AND recorded.day >= coalesce((SELECT max(before.day) FROM account_balances before WHERE before.account_pk = account.pk AND before.day < $4::date), $4::date)
 ORDER BY recorded.day
