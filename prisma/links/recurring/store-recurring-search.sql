-- Replaces what was found for a living link, unless it was replaced since it was read. $1 link_pk, $2 head_seq, $3 day,
-- $4 time, $5 last place, $6 streams, $7 and $8 the replaced head_seq and day, null for the first.
INSERT INTO recurring_searches (link_pk, head_seq, day, searched_at, last_place, streams)
SELECT pk, $2::bigint, $3::date, $4::timestamptz, $5::int, $6::text
  FROM links
 WHERE pk = $1::bigint AND deleted_at IS NULL
   FOR SHARE
    ON CONFLICT (link_pk) DO UPDATE
   SET head_seq = excluded.head_seq, day = excluded.day, searched_at = excluded.searched_at,
       last_place = excluded.last_place, streams = excluded.streams
 WHERE recurring_searches.head_seq = $7::bigint AND recurring_searches.day = $8::date
