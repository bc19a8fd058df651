-- Current rows near the covered days that a complete fetch did not contain under their own ids. $1 link_pk, $2
-- account ids the fetch could see, $3 and $4 first and last day, $5 provider ids it contained, $6 true: only
-- pending and imported rows, and those that share an id (domain/transactions/shared-ids.ts).
SELECT current.provider_transaction_id, current.transaction_id, current.account_id, current.amount::text, current.type, current.currency, current.date::text, current.pending,
       current.body::json->>'description' AS description, current.body::json->>'raw_description' AS raw_description
  FROM transaction_versions current
 WHERE current.link_pk = $1::bigint AND current.next_seq IS NULL AND NOT current.removed
   AND current.account_id = ANY($2::text[]) AND current.date BETWEEN $3::date AND $4::date
   AND (current.pending OR NOT $6::boolean OR current.provider_transaction_id LIKE '%/content:%')
   AND NOT EXISTS (SELECT 1 FROM unnest($5::text[]) AS seen(id) WHERE seen.id = current.provider_transaction_id)
