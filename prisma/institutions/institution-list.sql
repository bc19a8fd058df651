-- Ids of the institutions that are offered, in id order.
-- $1 environments, $2 id to start after, $3 name prefix or empty, $4 true: featured only, $5 limit, $6 countries.
SELECT institution.institution_id
  FROM institutions institution
 WHERE institution.environment = ANY($1::text[]) AND institution.institution_id > $2::text
   AND institution.country = ANY($6::text[]) AND NOT institution.hidden
   AND starts_with(lower(institution.name), lower($3::text))
   AND (institution.is_featured OR NOT $4::boolean)
   AND EXISTS (SELECT 1 FROM institution_routes route WHERE route.institution_id = institution.institution_id)
 ORDER BY institution.institution_id
 LIMIT $5::int
