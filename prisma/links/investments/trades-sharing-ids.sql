-- Current investment transactions with shared provider ids, or with ids made of these and of their content
-- (domain/transactions/shared-ids.ts). $1 link_pk, $2 shared ids.
-- include matchable-trades
   AND (current.provider_transaction_id = ANY($2::text[])
        OR (current.provider_transaction_id LIKE '%/content:%' AND left(current.provider_transaction_id, -52) = ANY($2::text[])))
