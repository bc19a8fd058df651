-- The public JSON of versions, which never change. $1 link_pk, $2 positions.
SELECT version.seq, version.body
  FROM transaction_versions version
 WHERE version.link_pk = $1::bigint AND version.seq = ANY($2::bigint[])
