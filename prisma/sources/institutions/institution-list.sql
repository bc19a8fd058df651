-- Ids of the institutions that are offered, in id order.
-- $1 to $7 as in institution-usable-route, $8 id to start after, $9 name prefix or empty, $10 true: featured only, $11 limit
SELECT i.institution_id
  FROM institutions i
 WHERE i.environment = ANY($1::text[]) AND i.institution_id > $8::text
   AND i.country = ANY($2::text[]) AND NOT i.hidden
   AND starts_with(lower(i.name), lower($9::text))
   AND (i.is_featured OR NOT $10::boolean)
   AND EXISTS (
-- include institution-usable-route
       )
 ORDER BY i.institution_id
 LIMIT $11::int
