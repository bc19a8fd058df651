-- The current version of every transaction of the link $1 that changed after position $2 of its
-- log, with the type of its account.
SELECT versions.seq, versions.transaction_id, versions.account_id, accounts.account_type, versions.first_seq, versions.posted_seq,
       versions.born_pending, versions.removed, versions.date::text AS day
  FROM transaction_versions versions
  JOIN accounts ON accounts.link_pk = versions.link_pk AND accounts.account_id = versions.account_id
 WHERE versions.link_pk = $1::bigint AND versions.next_seq IS NULL AND versions.seq > $2::bigint
 ORDER BY versions.seq
