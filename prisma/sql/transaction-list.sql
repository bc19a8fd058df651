-- One page of the rows as they are now (native-api 3.6): newest date first, ties by id in byte order.
-- $1 link_pk, $2 account ids or null, $3 first and $4 last day, $5 size, $6 rows to skip. The count comes with every
-- row, and alone when the page is past the end.
SELECT counted.total, page.account_id, page.body
  FROM (
    SELECT count(*)::int AS total
      FROM transaction_versions version
     WHERE version.link_pk = $1::bigint AND version.next_seq IS NULL AND NOT version.removed
       AND version.date BETWEEN $3::date AND $4::date
       AND ($2::text[] IS NULL OR version.account_id = ANY($2::text[]))
  ) AS counted
  LEFT JOIN LATERAL (
    SELECT version.date, version.transaction_id, version.account_id, version.body
      FROM transaction_versions version
     WHERE version.link_pk = $1::bigint AND version.next_seq IS NULL AND NOT version.removed
       AND version.date BETWEEN $3::date AND $4::date
       AND ($2::text[] IS NULL OR version.account_id = ANY($2::text[]))
     ORDER BY version.date DESC, version.transaction_id COLLATE "C"
     LIMIT $5::int OFFSET $6::bigint
  ) AS page ON true
 ORDER BY page.date DESC, page.transaction_id COLLATE "C"
