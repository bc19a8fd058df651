-- Current investment transactions near the covered days that a complete fetch did not contain under their own ids. $1
-- link_pk, $2 account ids the fetch could see, $3 and $4 first and last day, $5 provider ids it contained, $6 true:
-- only pending rows, and those that share an id (domain/transactions/shared-ids.ts).
-- include matchable-trades
   AND current.account_id = ANY($2::text[]) AND current.date BETWEEN $3::date AND $4::date
   AND (current.pending OR NOT $6::boolean OR current.provider_transaction_id LIKE '%/content:%')
   AND NOT EXISTS (SELECT 1 FROM unnest($5::text[]) AS seen(id) WHERE seen.id = current.provider_transaction_id)
