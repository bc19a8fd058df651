-- What was last found for the link $1.
SELECT head_seq, day::text AS day, searched_at, last_place, streams
  FROM recurring_searches
 WHERE link_pk = $1::bigint
