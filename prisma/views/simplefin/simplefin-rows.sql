-- The current rows of an account, oldest first, ties by id in byte order. $1 link_pk, $2 account_id, $3 first and $4
-- last day or null, $5 with pending ones, $6 day and $7 id of the row before the page or null, $8 its size, $9 the
-- currency of the account.
SELECT version.transaction_id, version.amount::text, version.type, version.currency, version.date::text AS day,
       version.pending, version.body,
       -- As text: a JavaScript number cannot hold every decimal.
       CASE WHEN version.currency <> $9::text THEN version.body::json #>> '{original,amount}' END AS original_amount
  FROM transaction_versions version
 WHERE version.link_pk = $1::bigint AND version.account_id = $2::text
   AND version.next_seq IS NULL AND NOT version.removed
   AND ($3::date IS NULL OR version.date >= $3::date) AND ($4::date IS NULL OR version.date <= $4::date)
   AND ($5::boolean OR NOT version.pending)
   AND ($6::date IS NULL OR (version.date, version.transaction_id COLLATE "C") > ($6::date, $7::text COLLATE "C"))
 ORDER BY version.date, version.transaction_id COLLATE "C"
 LIMIT $8::int
