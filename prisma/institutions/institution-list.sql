-- Ids of the institutions somebody can be reached through, in the order of their ids.
-- $1 environments, $2 id to begin after, $3 beginning of the name or empty, $4 true: only featured ones, $5 limit.
SELECT institution.institution_id
  FROM institutions institution
 WHERE institution.environment = ANY($1::text[]) AND institution.institution_id > $2::text
   AND starts_with(lower(institution.name), lower($3::text))
   AND (institution.is_featured OR NOT $4::boolean)
   AND EXISTS (SELECT 1 FROM institution_routes route WHERE route.institution_id = institution.institution_id)
 ORDER BY institution.institution_id
 LIMIT $5::int
