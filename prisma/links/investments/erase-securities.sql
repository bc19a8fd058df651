-- Deletes those of the securities $1 that no holding and no investment transaction has.
DELETE FROM securities security
 WHERE security.pk = ANY($1::bigint[])
   AND NOT EXISTS (SELECT FROM holdings WHERE holdings.security_pk = security.pk)
   AND NOT EXISTS (SELECT FROM investment_transaction_versions version WHERE version.security_id = security.security_id)
