-- Keeps the holdings of the accounts $1 as they are now for the day $2, whose last state stays.
INSERT INTO holding_days (account_pk, day, account, holdings)
SELECT known.account_pk, $2::date, known.body,
       ARRAY(SELECT holding.body FROM holdings holding
              WHERE holding.account_pk = known.account_pk AND holding.ended IS NULL ORDER BY holding.place)
  FROM holdings_accounts known
 WHERE known.account_pk = ANY($1::bigint[])
    ON CONFLICT (account_pk, day) DO UPDATE SET account = excluded.account, holdings = excluded.holdings
