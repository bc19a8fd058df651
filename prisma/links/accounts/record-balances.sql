-- Records the balances of a link's accounts for one day, where they differ from those recorded last. The last ones
-- of a day stay. $1 link_pk, $2 the day by the clock of the link, $3 now.
INSERT INTO account_balances (account_pk, day, currency, available, "current", "limit", balance_date, created_at)
SELECT account.pk, $2::date, account.currency, account.available, account."current", account."limit", account.balance_date, $3::timestamptz
  FROM accounts account
  LEFT JOIN LATERAL (
       SELECT recorded.currency, recorded.available, recorded."current", recorded."limit"
         FROM account_balances recorded WHERE recorded.account_pk = account.pk ORDER BY recorded.day DESC LIMIT 1) AS latest ON true
 WHERE account.link_pk = $1::bigint AND account.permitted
   AND (account.available, account."current", account."limit") IS DISTINCT FROM (latest.available, latest."current", latest."limit")
    ON CONFLICT (account_pk, day) DO UPDATE
   SET currency = excluded.currency, available = excluded.available, "current" = excluded."current", "limit" = excluded."limit",
       balance_date = excluded.balance_date, created_at = excluded.created_at
