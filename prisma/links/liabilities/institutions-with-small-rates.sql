-- The institutions of the configuration $1 whose debts have no rate above 1, and one above 0. A part
-- of its debts is enough, so that the time of a check does not grow with its links.
WITH debts AS (
  SELECT link.institution_id, liability.body::jsonb AS body
    FROM links link
    JOIN accounts account ON account.link_pk = link.pk
    JOIN liabilities liability ON liability.account_pk = account.pk
   WHERE link.provider = $1 AND link.deleted_at IS NULL
   LIMIT 10000
)
SELECT institution.name
  FROM debts
  JOIN institutions institution USING (institution_id)
 CROSS JOIN LATERAL jsonb_path_query(debts.body, '$.**.percentage') AS rate
 GROUP BY institution.institution_id
HAVING max(rate::numeric) > 0 AND max(rate::numeric) <= 1
 ORDER BY institution.name, institution.institution_id
