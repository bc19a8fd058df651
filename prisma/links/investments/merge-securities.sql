-- Merges the securities $1 into the older ones $2: later rows find those by all keys.
WITH merged AS (
  UPDATE securities SET merged_into = given.older
    FROM unnest($1::text[], $2::text[]) AS given(younger, older)
   WHERE securities.security_id = given.younger
  RETURNING securities.pk, given.older
)
UPDATE security_keys SET security_pk = older.pk
  FROM merged
  JOIN securities older ON older.security_id = merged.older
 WHERE security_keys.security_pk = merged.pk
