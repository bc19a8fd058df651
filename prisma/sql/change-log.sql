-- What changed in a stream of a link's change log after a position: the current version of every transaction concerned, and
-- where the stream ends. One statement sees both at one moment.
-- $1 link_pk, $2 the account of an account stream or null, $3 account ids whose rows are served, $4 where the stream began
-- (0 = at the beginning), $5 position after which versions are asked for.
WITH stream AS MATERIALIZED (
  SELECT CASE WHEN $2::text IS NULL THEN links.head_seq
              ELSE (SELECT coalesce(max(version.seq), 0) FROM transaction_versions version WHERE version.link_pk = links.pk AND version.account_id = $2::text)
         END AS head
    FROM links WHERE links.pk = $1::bigint
),
since_origin AS MATERIALIZED (
  SELECT version.transaction_id, min(version.seq) AS seq
    FROM transaction_versions version
   WHERE $4::bigint > 0 AND version.link_pk = $1::bigint AND version.seq > $4::bigint
   GROUP BY version.transaction_id
)
SELECT stream.head, version.seq, version.transaction_id, version.account_id, version.first_seq, version.posted_seq, version.born_pending, version.removed,
       coalesce(since_origin.seq, version.first_seq) AS first_seq_after_origin
  FROM stream
  LEFT JOIN transaction_versions version
    ON version.link_pk = $1::bigint AND version.next_seq IS NULL AND version.seq > $5::bigint AND version.account_id = ANY($3::text[])
   AND ($2::text IS NULL OR version.account_id = $2::text)
  LEFT JOIN since_origin ON since_origin.transaction_id = version.transaction_id
 ORDER BY version.seq
