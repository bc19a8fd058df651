-- The holdings of an account today, in the order of its source. $1 link_pk, $2 account_id, $3 place of the holding
-- before the page or null, $4 its size.
SELECT holding.place, holding.holding_id, holding.first_seen::text AS first_seen, holding.body,
       -- As text: a JavaScript number cannot hold every decimal.
       holding.body::json ->> 'value' AS value, holding.body::json ->> 'cost_basis' AS cost_basis,
       coalesce(older.body, security.body) AS security
  FROM accounts account
  JOIN holdings holding ON holding.account_pk = account.pk
  JOIN securities security ON security.pk = holding.security_pk
  LEFT JOIN securities older ON older.security_id = security.merged_into
 WHERE account.link_pk = $1::bigint AND account.account_id = $2::text AND holding.ended IS NULL
   AND ($3::int IS NULL OR holding.place > $3::int)
 ORDER BY holding.place
 LIMIT $4::int
