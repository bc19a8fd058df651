-- Adds keys of securities, and moves those of a merged one. $1 app, $2 environment, $3 institution, $4 keys, $5 the ids of
-- their securities.
INSERT INTO security_keys (app_id, environment, institution_id, key, security_pk)
SELECT $1::text, $2::text, $3::text, given.key, security.pk
  FROM unnest($4::text[], $5::text[]) AS given(key, security_id)
  JOIN securities security ON security.security_id = given.security_id
 ORDER BY given.key COLLATE "C"
    ON CONFLICT (app_id, environment, institution_id, key) DO NOTHING
