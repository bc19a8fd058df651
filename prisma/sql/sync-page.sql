-- One page of a walk through the changes of a link (native-api 3.6).
-- $1 link_pk, $2 floor, $3 position, $4 high-water (null: no walk under way, it is fixed here), $5 size.
-- A row the reader cannot know (first_seq beyond the floor) that is already gone is not reported, so it takes no place
-- on the page. One row more than asked for says whether there is another page.
SELECT links.head_seq, coalesce($4::bigint, links.head_seq) AS high_water,
       page.seq, page.kind, page.transaction_id, page.account_id, page.body
  FROM links
  LEFT JOIN LATERAL (
    SELECT version.seq, version.transaction_id, version.account_id, version.body,
           CASE WHEN version.removed THEN 'r' WHEN version.first_seq > $2::bigint THEN 'c' ELSE 'u' END AS kind
      FROM transaction_versions version
     WHERE version.link_pk = $1::bigint
       AND version.seq > $3::bigint AND version.seq <= coalesce($4::bigint, links.head_seq)
       AND (version.next_seq IS NULL OR version.next_seq > coalesce($4::bigint, links.head_seq))
       AND NOT (version.removed AND version.first_seq > $2::bigint)
     ORDER BY version.seq
     LIMIT $5::int + 1
  ) AS page ON true
 WHERE links.pk = $1::bigint
 ORDER BY page.seq
