-- Part of a link's change log as a stream of the compatibility layer: the current state of the
-- transactions concerned, and the end of the stream, in one snapshot.
-- $1 link_pk, $2 the account of an account stream or null, $3 account ids whose rows are served, $4
-- the start of the stream (0 = the beginning), $5 the position up to which its client has read
-- everything, $6 the position after which entries are read, $7 maximum number of entries, $8 every
-- position of the cursor.
-- An entry counts when the client needs it (plaid-compat 5.3): the last one of a transaction, and
-- the one that posted a row the client knows as pending. A transaction that was added and removed
-- without the client seeing it has none.
WITH stream AS MATERIALIZED (
  SELECT CASE WHEN $2::text IS NULL THEN links.head_seq
              ELSE (SELECT coalesce(max(version.seq), 0) FROM transaction_versions version WHERE version.link_pk = $1::bigint AND version.account_id = $2::text)
         END AS head
    FROM links WHERE links.pk = $1::bigint
),
entries AS MATERIALIZED (
  SELECT entry.seq, entry.transaction_id
    FROM transaction_versions entry
   WHERE entry.link_pk = $1::bigint AND entry.seq > $6::bigint AND entry.seq <= (SELECT head FROM stream)
     AND ($2::text IS NULL OR entry.account_id = $2::text)
     -- Not `= ANY`: with an index on accounts, the whole rest of the log would be read and sorted for one page.
     AND array_position($3::text[], entry.account_id) IS NOT NULL
     AND CASE WHEN entry.born_pending AND entry.posted_seq = entry.seq AND entry.first_seq <= $5::bigint THEN true
              WHEN entry.next_seq IS NOT NULL THEN false
              ELSE NOT entry.removed OR coalesce(entry.posted_seq, entry.first_seq) <= $5::bigint
         END
   ORDER BY entry.seq
   LIMIT $7::int
)
SELECT stream.head,
       EXISTS (SELECT 1 FROM void_positions void, unnest($8::bigint[]) AS given (seq)
                WHERE void.link_pk = $1::bigint AND given.seq > void.after_seq AND given.seq <= void.until_seq) AS is_void,
       entries.seq AS entry_seq,
       current.seq, current.transaction_id, current.account_id, current.first_seq, current.posted_seq, current.born_pending, current.removed,
       -- plaid-compat 5.4, rule 8
       CASE WHEN current.first_seq > $4::bigint THEN current.first_seq
            ELSE coalesce((SELECT min(replaced.seq) FROM transaction_versions replaced
                            WHERE replaced.link_pk = $1::bigint AND replaced.transaction_id = current.transaction_id
                              AND replaced.next_seq IS NOT NULL AND replaced.seq > $4::bigint), current.seq)
       END AS first_seq_after_origin
  FROM stream
  LEFT JOIN entries ON true
  LEFT JOIN transaction_versions current
    ON current.link_pk = $1::bigint AND current.transaction_id = entries.transaction_id AND current.next_seq IS NULL
 ORDER BY entries.seq
