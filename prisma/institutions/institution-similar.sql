-- The institutions whose names most resemble the typed text without starting with it; the caller decides which
-- are plausible typos.
-- $1 environments, $2 countries, $3 providers (empty = any), $4 required products, $5 the session has a redirect_uri, $6 limit,
-- $7 typed text
SELECT i.institution_id, i.search_text, i.is_featured, array_position($2::text[], i.country) AS country_rank
  FROM institutions i
 WHERE i.environment = ANY ($1::text[]) AND i.country = ANY ($2::text[]) AND NOT i.hidden
   AND i.search_text NOT LIKE $7 || '%' AND i.search_text NOT LIKE '% ' || $7 || '%'
   AND EXISTS (SELECT FROM institution_routes r
                WHERE r.institution_id = i.institution_id AND r.products @> $4::text[] AND ($5::boolean OR r.login IN ('form', 'none')) AND (cardinality($3::text[]) = 0 OR r.provider = ANY ($3)))
 ORDER BY $7 <<-> i.search_text, i.search_text, i.institution_id
 LIMIT $6::int
