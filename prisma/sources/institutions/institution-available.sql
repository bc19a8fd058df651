-- The institution of an id or alias, if a session may use it.
-- $1 to $7 as in institution-usable-route (no countries = any), $8 id or alias, $9 true: hidden ones too
SELECT i.institution_id
  FROM institutions i
 WHERE i.institution_id IN (SELECT $8::text UNION ALL SELECT a.institution_id FROM institution_aliases a WHERE a.alias = $8::text)
   AND i.environment = ANY ($1::text[]) AND (cardinality($2::text[]) = 0 OR i.country = ANY ($2::text[]))
   AND ($9::boolean OR NOT i.hidden)
   AND EXISTS (
-- include institution-usable-route
       )
