-- One page of the current rows, by offset: newest date first, ties by id in byte order. $1 link_pk, $2 account
-- ids, $3 first and $4 last day, $5 offset, $6 size.
WITH page AS MATERIALIZED (
  SELECT version.body, version.born_pending, version.posted_seq
    FROM transaction_versions version
   WHERE version.link_pk = $1::bigint AND version.next_seq IS NULL AND NOT version.removed
     AND version.date BETWEEN $3::date AND $4::date AND version.account_id = ANY($2::text[])
   ORDER BY version.date DESC, version.transaction_id COLLATE "C"
   LIMIT $6::int OFFSET $5::bigint
)
SELECT (SELECT count(*)::int
          FROM transaction_versions version
         WHERE version.link_pk = $1::bigint AND version.next_seq IS NULL AND NOT version.removed
           AND version.date BETWEEN $3::date AND $4::date AND version.account_id = ANY($2::text[])) AS total,
       (SELECT coalesce(json_agg(json_build_object('body', body, 'born_pending', born_pending, 'posted', posted_seq IS NOT NULL)), '[]') FROM page) AS rows
