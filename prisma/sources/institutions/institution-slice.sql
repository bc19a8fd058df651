-- A slice of all institutions that are offered, in id order, and their total.
-- $1 to $7 as in institution-usable-route, $8 true: those that log in by OAuth, false: the others,
-- null: all, $9 limit, $10 offset
WITH offered AS (
  SELECT i.institution_id
    FROM institutions i
   WHERE i.environment = ANY ($1::text[]) AND i.country = ANY ($2::text[]) AND NOT i.hidden
     AND ($8::boolean IS NULL OR (i.login = 'oauth') = $8::boolean)
     AND EXISTS (
-- include institution-usable-route
         ))
SELECT (SELECT count(*)::int FROM offered) AS total,
       ARRAY(SELECT institution_id FROM offered ORDER BY institution_id LIMIT $9::int OFFSET $10::int) AS institution_ids
