-- The securities of the holdings and investment transactions of the link $1 after the key $2, with those that a later row
-- proved to be the same, $3 of them.
WITH used AS (
  SELECT security.pk, security.security_id
    FROM securities security
   WHERE security.pk IN (SELECT holding.security_pk FROM holdings holding
                           JOIN accounts account ON account.pk = holding.account_pk WHERE account.link_pk = $1::bigint)
      OR security.security_id IN (SELECT version.security_id FROM investment_transaction_versions version
                                   WHERE version.link_pk = $1::bigint)
)
SELECT security.pk::text AS key, security.body
  FROM securities security
 WHERE security.pk IN (SELECT used.pk FROM used
                        UNION
                       SELECT older.pk FROM used JOIN securities younger ON younger.pk = used.pk
                         JOIN securities older ON older.security_id = younger.merged_into)
   AND security.pk > $2::bigint
 ORDER BY security.pk
 LIMIT $3::int
