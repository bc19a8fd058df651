-- The securities of an institution of an app that have one of the keys $4.
SELECT security.security_id, security.facts, security.merged_into
  FROM securities security
 WHERE security.pk IN (
       SELECT key.security_pk FROM security_keys key
        WHERE key.app_id = $1::text AND key.environment = $2::text AND key.institution_id = $3::text AND key.key = ANY($4::text[]))
 ORDER BY security.pk
