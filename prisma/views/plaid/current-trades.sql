-- One page of the current investment transactions, by offset: newest date first, ties by id in byte order. Of pending
-- rows only movements of cash, since Plaid has no name for others. $1 link_pk, $2 account ids, $3 first and $4 last day,
-- $5 offset, $6 size.
WITH listed AS MATERIALIZED (
  SELECT version.seq, version.date, version.transaction_id
    FROM investment_transaction_versions version
   WHERE version.link_pk = $1::bigint AND version.next_seq IS NULL AND NOT version.removed
     AND version.date BETWEEN $3::date AND $4::date AND version.account_id = ANY($2::text[])
     AND (NOT version.pending
          OR version.body::json ->> 'type' IN ('dividend', 'interest', 'fee', 'tax', 'deposit', 'withdrawal'))
),
page AS MATERIALIZED (
  SELECT version.body, version.security_id, listed.date, listed.transaction_id
    FROM (SELECT * FROM listed ORDER BY date DESC, transaction_id COLLATE "C" LIMIT $6::int OFFSET $5::bigint) AS listed
    JOIN investment_transaction_versions version ON version.link_pk = $1::bigint AND version.seq = listed.seq
)
SELECT (SELECT count(*)::int FROM listed) AS total,
       ARRAY(SELECT body FROM page ORDER BY date DESC, transaction_id COLLATE "C") AS trades,
       ARRAY(SELECT security.body FROM securities security
              WHERE security.security_id IN (SELECT security_id FROM page)
              ORDER BY security.security_id COLLATE "C") AS securities
