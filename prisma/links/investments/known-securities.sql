-- The securities of an institution of an app that have one of the keys $4.
SELECT DISTINCT ON (security.pk) security.security_id, security.facts, security.merged_into
  FROM security_keys key
  JOIN securities security ON security.pk = key.security_pk
 WHERE key.app_id = $1::text AND key.environment = $2::text AND key.institution_id = $3::text AND key.key = ANY($4::text[])
 ORDER BY security.pk
