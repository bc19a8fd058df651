-- The holdings of all accounts of the link $1 after the key $2, ended ones included, $3 of them.
SELECT holding.pk::text AS key, holding.body, security.body AS security, holding.first_seen::text AS first_seen,
       holding.ended::text AS ended
  FROM holdings holding
  JOIN accounts account ON account.pk = holding.account_pk
  JOIN securities security ON security.pk = holding.security_pk
 WHERE account.link_pk = $1::bigint AND holding.pk > $2::bigint
 ORDER BY holding.pk
 LIMIT $3::int
