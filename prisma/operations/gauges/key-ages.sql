-- The start of each key's use, at $1. There are only a few rows of signing_keys, cursor_keys and
-- master_keys; data_keys is looked up by key. Records of idempotency keys do not count: they expire
-- within a day.
SELECT 'signing' AS kind, key_set AS "keySet", max(active_from) AS since
  FROM signing_keys
 WHERE active_from <= $1::timestamptz AND (retired_at IS NULL OR retired_at > $1::timestamptz)
 GROUP BY key_set
UNION ALL
(SELECT 'master', '', created_at FROM master_keys WHERE last_current_at IS NOT NULL ORDER BY last_current_at DESC LIMIT 1)
UNION ALL
SELECT 'oldest_master', '', min(k.created_at)
  FROM master_keys k
 -- OFFSET keeps this a look-up for each key.
 WHERE EXISTS (SELECT FROM data_keys d WHERE d.master_key_id = k.key_id OFFSET 0)
    -- Sealer.sealWithMaster prepends the length of the id and the id.
    OR k.key_id IN (SELECT encode(substring(sealed_private FROM 2 FOR get_byte(sealed_private, 0)), 'escape')
                      FROM signing_keys WHERE sealed_private IS NOT NULL
                     UNION ALL
                    SELECT encode(substring(sealed FROM 2 FOR get_byte(sealed, 0)), 'escape') FROM cursor_keys)
HAVING count(*) > 0
