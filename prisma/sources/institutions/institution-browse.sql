-- The choices of a session before anything is typed: featured first, then in the order of its
-- countries, then by name. Each group is read in index order, and no further than the page.
-- $1 to $7 as in institution-usable-route, $8 limit, $9 offset
SELECT shelved.institution_id
  FROM (VALUES (true), (false)) AS shelf(is_featured)
 CROSS JOIN unnest($2::text[]) WITH ORDINALITY AS country(code, rank)
 CROSS JOIN unnest($1::text[]) AS environment(name)
 CROSS JOIN LATERAL (
       SELECT i.institution_id, i.search_text
         FROM institutions i
        WHERE i.environment = environment.name AND i.country = country.code AND i.is_featured = shelf.is_featured
          AND NOT i.hidden
          AND EXISTS (
-- include institution-usable-route
              )
        ORDER BY i.search_text, i.institution_id
        LIMIT $8::int + $9::int) AS shelved
 ORDER BY shelf.is_featured DESC, country.rank, shelved.search_text, shelved.institution_id
 LIMIT $8::int OFFSET $9::int
