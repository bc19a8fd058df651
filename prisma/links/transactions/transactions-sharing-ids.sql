-- Current rows with shared provider ids, or with ids made of these and of their content
-- (domain/transactions/shared-ids.ts). $1 link_pk, $2 shared ids.
SELECT current.provider_transaction_id, current.transaction_id, current.account_id, current.amount::text, current.type, current.currency, current.date::text, current.pending,
       current.body::json->>'description' AS description, current.body::json->>'raw_description' AS raw_description
  FROM transaction_versions current
 WHERE current.link_pk = $1::bigint AND current.next_seq IS NULL AND NOT current.removed
   AND (current.provider_transaction_id = ANY($2::text[])
        OR (current.provider_transaction_id LIKE '%/content:%' AND left(current.provider_transaction_id, -52) = ANY($2::text[])))
