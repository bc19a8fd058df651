-- Locks the securities of the holdings and investment transactions of the link $1, but for those that another transaction
-- uses at this moment.
SELECT security.pk
  FROM securities security
 WHERE security.pk IN (SELECT holding.security_pk FROM holdings holding
                         JOIN accounts account ON account.pk = holding.account_pk WHERE account.link_pk = $1::bigint)
    OR security.security_id IN (SELECT version.security_id FROM investment_transaction_versions version
                                 WHERE version.link_pk = $1::bigint)
 ORDER BY security.pk
   FOR UPDATE SKIP LOCKED
