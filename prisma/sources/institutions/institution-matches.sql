-- Institutions whose name starts with the typed text, then those with a later word that does.
-- $1 to $7 as in institution-usable-route, $8 limit, $9 offset, $10 typed text
SELECT i.institution_id
  FROM institutions i
 WHERE (i.search_text LIKE $10 || '%' OR i.search_text LIKE '% ' || $10 || '%')
   AND i.environment = ANY ($1::text[]) AND i.country = ANY ($2::text[]) AND NOT i.hidden
   AND EXISTS (
-- include institution-usable-route
       )
 ORDER BY i.search_text LIKE $10 || '%' DESC, i.is_featured DESC, array_position($2::text[], i.country), i.search_text, i.institution_id
 LIMIT $8::int OFFSET $9::int
