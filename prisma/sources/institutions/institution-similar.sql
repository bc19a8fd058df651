-- The institutions whose names most resemble the typed text without starting with it; the caller decides which
-- are plausible typos.
-- $1 to $7 as in institution-usable-route, $8 limit, $9 typed text
SELECT i.institution_id, i.search_text, i.is_featured, array_position($2::text[], i.country) AS country_rank
  FROM institutions i
 WHERE i.environment = ANY ($1::text[]) AND i.country = ANY ($2::text[]) AND NOT i.hidden
   AND i.search_text NOT LIKE $9 || '%' AND i.search_text NOT LIKE '% ' || $9 || '%'
   AND EXISTS (
-- include institution-usable-route
       )
 ORDER BY $9 <<-> i.search_text, i.search_text, i.institution_id
 LIMIT $8::int
