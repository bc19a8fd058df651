-- One page of the current investment transactions (native-api 3.14) as a JSON fragment: newest date first, ties by id in
-- byte order. $1 link_pk, $2 account ids or null, $3 first and $4 last day, $5 size, $6 offset.
WITH page AS MATERIALIZED (
  SELECT version.account_id, version.security_id, version.body
    FROM investment_transaction_versions version
   WHERE version.link_pk = $1::bigint AND version.next_seq IS NULL AND NOT version.removed
     AND version.date BETWEEN $3::date AND $4::date
     AND ($2::text[] IS NULL OR version.account_id = ANY($2::text[]))
   ORDER BY version.date DESC, version.transaction_id COLLATE "C"
   LIMIT $5::int OFFSET $6::bigint
)
SELECT (SELECT count(*)::int
          FROM investment_transaction_versions version
         WHERE version.link_pk = $1::bigint AND version.next_seq IS NULL AND NOT version.removed
           AND version.date BETWEEN $3::date AND $4::date
           AND ($2::text[] IS NULL OR version.account_id = ANY($2::text[]))) AS total,
       (SELECT count(*)::int FROM page) AS size,
       (SELECT coalesce(string_agg(body, ','), '') FROM page) AS rows,
       (SELECT string_agg(DISTINCT account_id, ',') FROM page) AS account_ids,
       (SELECT array_agg(DISTINCT security_id) FILTER (WHERE security_id IS NOT NULL) FROM page) AS security_ids
