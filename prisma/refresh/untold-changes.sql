-- What changed in the log of the link $1 after position $2, of the accounts $3: the current version of every row.
SELECT seq, transaction_id, account_id, first_seq, posted_seq, born_pending, removed, date::text AS day
  FROM transaction_versions
 WHERE link_pk = $1::bigint AND next_seq IS NULL AND seq > $2::bigint AND account_id = ANY($3::text[])
 ORDER BY seq
