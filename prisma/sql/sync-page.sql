-- One page of a walk through the changes of a link (native-api 3.6), as JSON fragments.
-- $1 link_pk, $2 floor, $3 position, $4 high-water (null: no walk under way, it is fixed here), $5 size.
-- A row the reader cannot know (first_seq beyond the floor) that is already gone is not reported, so it takes no place
-- on the page. One row more than asked for says whether there is another page.
WITH pin AS MATERIALIZED (
  SELECT head_seq, coalesce($4::bigint, head_seq) AS high_water FROM links WHERE pk = $1::bigint
),
page AS MATERIALIZED (
  SELECT version.seq, version.transaction_id, version.account_id, version.body,
         CASE WHEN version.removed THEN 'removed' WHEN version.first_seq > $2::bigint THEN 'created' ELSE 'updated' END AS kind,
         row_number() OVER (ORDER BY version.seq) <= $5::int AS shown
    FROM transaction_versions version
   WHERE version.link_pk = $1::bigint
     AND version.seq > $3::bigint AND version.seq <= (SELECT high_water FROM pin)
     AND (version.next_seq IS NULL OR version.next_seq > (SELECT high_water FROM pin))
     AND NOT (version.removed AND version.first_seq > $2::bigint)
   ORDER BY version.seq
   LIMIT $5::int + 1
)
SELECT pin.head_seq, pin.high_water, shown.*,
       (SELECT string_agg(DISTINCT account_id, ',') FROM page WHERE page.shown AND kind <> 'removed') AS account_ids
  FROM pin,
       (SELECT count(*) > $5::int AS has_more,
               max(seq) FILTER (WHERE shown) AS last_seq,
               coalesce(string_agg(body, ',') FILTER (WHERE shown AND kind = 'created'), '') AS created,
               coalesce(string_agg(body, ',') FILTER (WHERE shown AND kind = 'updated'), '') AS updated,
               coalesce(string_agg('"' || transaction_id || '"', ',') FILTER (WHERE shown AND kind = 'removed'), '') AS removed
          FROM page) AS shown
