-- The current versions of transactions of the link $1 that changed after position $2, in the accounts $3.
SELECT seq, transaction_id, account_id, first_seq, posted_seq, born_pending, removed, date::text AS day
  FROM transaction_versions
 WHERE link_pk = $1::bigint AND next_seq IS NULL AND seq > $2::bigint AND account_id = ANY($3::text[])
 ORDER BY seq
