-- Replaces the provider ids of current investment transactions. They are not public, so no version is written. $1
-- link_pk, $2 old ids, $3 new ids.
UPDATE investment_transaction_versions current SET provider_transaction_id = renamed.id
  FROM unnest($2::text[], $3::text[]) AS renamed(known_id, id)
 WHERE current.link_pk = $1::bigint AND current.next_seq IS NULL AND NOT current.removed
   AND current.provider_transaction_id = renamed.known_id
