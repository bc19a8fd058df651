-- The provider ids among $2 that the link $1 has as current transactions, with their ids.
SELECT current.provider_transaction_id, current.transaction_id
  FROM transaction_versions current
 WHERE current.link_pk = $1::bigint AND current.next_seq IS NULL AND NOT current.removed
   AND current.provider_transaction_id = ANY($2::text[])
