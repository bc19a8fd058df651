-- The institutions that entries may be joined with, with their facts from the lists of all
-- providers.
-- $1 environment, $2 countries
SELECT institution.institution_id, institution.country, institution.name,
       array_remove(array_agg(DISTINCT entry.facts ->> 'domain') || institution.domain, NULL) AS domains,
       array_remove(array_agg(DISTINCT entry.facts ->> 'bic'), NULL) AS bics
  FROM institutions institution
  LEFT JOIN catalog_entries entry ON entry.institution_id = institution.institution_id
 WHERE institution.environment = $1::text AND institution.country = ANY ($2::text[])
 GROUP BY institution.institution_id
