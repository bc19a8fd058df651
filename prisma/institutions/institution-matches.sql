-- Institutions whose name starts with the typed text, then those with a later word that does.
-- $1 environments, $2 countries, $3 providers (empty = any), $4 required products, $5 the session has a redirect_uri, $6 limit,
-- $7 offset, $8 typed text
SELECT i.institution_id
  FROM institutions i
 WHERE (i.search_text LIKE $8 || '%' OR i.search_text LIKE '% ' || $8 || '%')
   AND i.environment = ANY ($1::text[]) AND i.country = ANY ($2::text[]) AND NOT i.hidden
   AND EXISTS (SELECT FROM institution_routes r
                WHERE r.institution_id = i.institution_id AND r.products @> $4::text[] AND ($5::boolean OR r.login IN ('form', 'none')) AND (cardinality($3::text[]) = 0 OR r.provider = ANY ($3)))
 ORDER BY i.search_text LIKE $8 || '%' DESC, i.is_featured DESC, array_position($2::text[], i.country), i.search_text, i.institution_id
 LIMIT $6::int OFFSET $7::int
