-- One page of the current rows of several links as a JSON fragment: newest date first, ties by id in byte
-- order. $1 link keys, $2 first and $3 last day of each, $4 account ids or null, $5 type or null, $6 categories
-- or null, $7 size, $8 offset.
WITH found AS (
  SELECT version.account_id, version.transaction_id, version.date, version.body
    FROM unnest($1::bigint[], $2::date[], $3::date[]) AS link(pk, first_day, last_day)
    JOIN transaction_versions version ON version.link_pk = link.pk
   WHERE version.next_seq IS NULL AND NOT version.removed AND version.date BETWEEN link.first_day AND link.last_day
     AND ($4::text[] IS NULL OR version.account_id = ANY($4::text[]))
     AND ($5::text IS NULL OR version.type = $5::text)
     AND ($6::text[] IS NULL OR version.category = ANY($6::text[]))
),
page AS MATERIALIZED (
  SELECT account_id, body FROM found ORDER BY date DESC, transaction_id COLLATE "C" LIMIT $7::int OFFSET $8::bigint
)
SELECT (SELECT count(*)::int FROM found) AS total,
       (SELECT count(*)::int FROM page) AS size,
       (SELECT coalesce(string_agg(body, ','), '') FROM page) AS rows,
       (SELECT string_agg(DISTINCT account_id, ',') FROM page) AS account_ids
