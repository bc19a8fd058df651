-- One page of a sync walk (native-api 3.6) as JSON fragments, together with the link and the
-- accounts of the page, in one snapshot.
-- $1 link_id, $2 app_id, $3 environment, $4 floor, $5 position, $6 high-water mark (null: a new
-- walk, which fixes it), $7 size.
-- A row that the reader cannot know (first_seq beyond the floor) and that is already removed is not
-- reported, so it does not count toward the page. One row more than the size shows whether there is
-- another page.
WITH link AS MATERIALIZED (
  -- include find-link
),
pin AS MATERIALIZED (
  SELECT pk, coalesce($6::bigint, head_seq) AS high_water FROM link
),
page AS MATERIALIZED (
  SELECT version.seq, version.transaction_id, version.account_id, version.body,
         CASE WHEN version.removed THEN 'removed' WHEN version.first_seq > $4::bigint THEN 'created' ELSE 'updated' END AS kind,
         row_number() OVER (ORDER BY version.seq) <= $7::int AS shown
    FROM transaction_versions version
   WHERE version.link_pk = (SELECT pk FROM pin)
     AND version.seq > $5::bigint AND version.seq <= (SELECT high_water FROM pin)
     AND (version.next_seq IS NULL OR version.next_seq > (SELECT high_water FROM pin))
     AND NOT (version.removed AND version.first_seq > $4::bigint)
   ORDER BY version.seq
   LIMIT $7::int + 1
)
SELECT link.*, pin.high_water, shown.*,
       EXISTS (SELECT 1 FROM void_positions void
                WHERE void.link_pk = link.pk
                  AND (($4::bigint > void.after_seq AND $4::bigint <= void.until_seq)
                    OR ($5::bigint > void.after_seq AND $5::bigint <= void.until_seq)
                    OR ($6::bigint > void.after_seq AND $6::bigint <= void.until_seq))) AS is_void,
       -- include accounts-of-page
  FROM link, pin,
       (SELECT count(*) > $7::int AS has_more,
               max(seq) FILTER (WHERE shown) AS last_seq,
               coalesce(string_agg(body, ',') FILTER (WHERE shown AND kind = 'created'), '') AS created,
               coalesce(string_agg(body, ',') FILTER (WHERE shown AND kind = 'updated'), '') AS updated,
               coalesce(string_agg('"' || transaction_id || '"', ',') FILTER (WHERE shown AND kind = 'removed'), '') AS removed
          FROM page) AS shown
