-- Every version of the investment transactions of the link $1 after the position $2, $3 of them, up to the position $4.
SELECT version.seq::text AS key, version.next_seq IS NOT NULL AND version.next_seq <= $4::bigint AS replaced, version.removed,
       version.transaction_id, version.body, security.body AS security
  FROM investment_transaction_versions version
  LEFT JOIN securities security ON security.security_id = version.security_id
 WHERE version.link_pk = $1::bigint AND version.seq > $2::bigint AND version.seq <= $4::bigint
 ORDER BY version.seq
 LIMIT $3::int
