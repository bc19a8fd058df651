-- Institutions with their shared facts; unchanged ones are not written.
-- $1 JSON array of institutions; the environment applies to new ones
INSERT INTO institutions AS stored (institution_id, environment, name, country, domain, logo_url, color, color_dark, is_featured, login, search_text)
SELECT fact.institution_id, fact.environment, fact.name, fact.country, fact.domain, fact.logo_url, fact.color, fact.color_dark, fact.is_featured, fact.login, fact.search_text
  FROM jsonb_to_recordset($1::jsonb) AS fact (institution_id text, environment text, name text, country text, domain text, logo_url text, color text,
                                              color_dark text, is_featured boolean, login text, search_text text)
    ON CONFLICT (institution_id) DO UPDATE
   SET name = excluded.name, country = excluded.country, domain = excluded.domain, logo_url = excluded.logo_url, color = excluded.color,
       color_dark = excluded.color_dark, is_featured = excluded.is_featured, login = excluded.login, search_text = excluded.search_text
 WHERE (stored.name, stored.country, stored.domain, stored.logo_url, stored.color, stored.color_dark, stored.is_featured, stored.login, stored.search_text)
       IS DISTINCT FROM (excluded.name, excluded.country, excluded.domain, excluded.logo_url, excluded.color, excluded.color_dark,
                         excluded.is_featured, excluded.login, excluded.search_text)
