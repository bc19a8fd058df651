-- The routes of institution `i` that a session may use, without those that
-- domain/institutions/route-choice.ts drops for every login. A provider without a row is built in.
-- The sets are read once per statement, and contain the usable values instead of the unusable ones,
-- because the planner assumes that conditions of that form are likely.
-- $1 environments, $2 countries, $3 providers (empty = any), $4 required products, $5 the session
-- has a redirect_uri, $6 app, $7 environment of the session
SELECT
  FROM institution_routes r
 WHERE r.institution_id = i.institution_id AND r.products @> $4::text[]
   AND ($5::boolean OR r.login IN ('form', 'none'))
   AND (cardinality($3::text[]) = 0 OR r.provider = ANY ($3))
   AND (r.provider = ANY (ARRAY(SELECT usable.name FROM provider_configurations usable
                                 WHERE usable.enabled AND NOT usable.broken AND usable.environment = $7::text))
        OR r.provider NOT IN (SELECT known.name FROM provider_configurations known))
   AND r.provider || '/' || r.remote_id <> ALL (ARRAY(SELECT unpinned.name || '/' || bank
                                                        FROM provider_configurations unpinned, unnest(unpinned.unpinned) bank))
   AND (r.provider = ANY (ARRAY(SELECT allowed.provider FROM app_providers allowed WHERE allowed.app_id = $6::text))
        OR NOT EXISTS (SELECT FROM app_providers limited WHERE limited.app_id = $6::text))
