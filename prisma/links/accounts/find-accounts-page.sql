-- The first open, permitted accounts of several links, those of a link by their keys. Reads no link behind
-- the one with which there are enough. $1 link keys, ascending, $2 account ids or null for all, $3 key of the account of
-- the first link to continue after, $4 their number.
WITH RECURSIVE walked AS (
  SELECT 0 AS place, 0::bigint AS accounts
  UNION ALL
  SELECT walked.place + 1,
         walked.accounts + (SELECT count(*) FROM accounts account
                             WHERE account.link_pk = ($1::bigint[])[walked.place + 1] AND account.permitted AND NOT account.closed
                               AND ($2::text[] IS NULL OR account.account_id = ANY($2::text[]))
                               AND (account.pk > $3::bigint OR walked.place > 0))
    FROM walked
   WHERE walked.place < cardinality($1::bigint[]) AND walked.accounts < $4::int
)
SELECT account.pk, account.position, account.link_pk, account.account_id, account.account_type, account.name, account.nickname, account.mask, account.closed, account.missing_since, account.original_id,
       account.currency, account.available::text, account."current"::text, account."limit"::text, account.balance_date
  FROM walked
  JOIN accounts account ON account.link_pk = ($1::bigint[])[walked.place]
 WHERE account.permitted AND NOT account.closed
   AND ($2::text[] IS NULL OR account.account_id = ANY($2::text[]))
   AND (account.pk > $3::bigint OR walked.place > 1)
 ORDER BY walked.place, account.pk
 LIMIT $4::int
