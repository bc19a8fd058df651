-- What a session may choose from before anything is typed: featured first, then by the order of its countries,
-- then by name. Each group is read in index order, and no further than the page.
-- $1 environments, $2 countries, $3 providers (empty = any), $4 required products, $5 the session has a redirect_uri, $6 limit,
-- $7 offset
SELECT shelved.institution_id
  FROM (VALUES (true), (false)) AS shelf(is_featured)
 CROSS JOIN unnest($2::text[]) WITH ORDINALITY AS country(code, rank)
 CROSS JOIN unnest($1::text[]) AS environment(name)
 CROSS JOIN LATERAL (
       SELECT i.institution_id, i.search_text
         FROM institutions i
        WHERE i.environment = environment.name AND i.country = country.code AND i.is_featured = shelf.is_featured
          AND NOT i.hidden
          AND EXISTS (SELECT FROM institution_routes r
                       WHERE r.institution_id = i.institution_id AND r.products @> $4::text[] AND ($5::boolean OR r.login IN ('form', 'none')) AND (cardinality($3::text[]) = 0 OR r.provider = ANY ($3)))
        ORDER BY i.search_text, i.institution_id
        LIMIT $6::int + $7::int) AS shelved
 ORDER BY shelf.is_featured DESC, country.rank, shelved.search_text, shelved.institution_id
 LIMIT $6::int OFFSET $7::int
