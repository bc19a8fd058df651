-- The newest current rows of a link from a day on, as far as recurring payments need them. $1 link_pk, $2 first day,
-- $3 limit.
SELECT newest.transaction_id AS "transactionId", newest.account_id AS "accountId", newest.amount::text AS amount,
       newest.type, newest.currency, newest.date::text AS date, newest.pending, newest.category,
       content.description, content.merchant ->> 'name' AS "merchantName",
       content.counterparty ->> 'name' AS "counterpartyName",
       content.counterparty ->> 'account_mask' AS "counterpartyMask",
       content."references" ->> 'mandate' AS mandate,
       content."references" ->> 'creditor' AS "creditorReference"
  FROM (SELECT * FROM transaction_versions version
         WHERE version.link_pk = $1::bigint AND version.next_seq IS NULL AND NOT version.removed
           AND version.date >= $2::date
         ORDER BY version.date DESC, version.transaction_id COLLATE "C"
         LIMIT $3::int) newest,
       json_to_record(newest.body::json)
         AS content (description text, merchant json, counterparty json, "references" json)
