-- Marks as removed the investment transactions that a complete fetch of the days $2 to $3 did not contain. Rows of
-- accounts that it could not see stay, as do those of missing accounts. $1 link_pk, $4 account ids that the fetch
-- covered, $5 every provider id that it contained. Returns the number of removed rows.
WITH gone AS MATERIALIZED (
  SELECT current.*, links.investment_seq + row_number() OVER (ORDER BY current.seq) AS tombstone_seq
    FROM investment_transaction_versions current
    JOIN links ON links.pk = $1::bigint
   WHERE current.link_pk = $1::bigint AND current.next_seq IS NULL AND NOT current.removed
     AND current.date BETWEEN $2::date AND $3::date
     AND current.account_id = ANY($4::text[])
     AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.account_id = current.account_id AND accounts.missing_since IS NOT NULL)
     AND NOT EXISTS (SELECT 1 FROM unnest($5::text[]) AS seen(id) WHERE seen.id = current.provider_transaction_id)
),
replaced AS (
  UPDATE investment_transaction_versions old SET next_seq = gone.tombstone_seq
    FROM gone
   WHERE old.link_pk = $1::bigint AND old.seq = gone.seq
  RETURNING old.seq
),
stored AS (
  INSERT INTO investment_transaction_versions (
    link_pk, seq, first_seq, born_pending, posted_seq, removed, transaction_id, account_id, provider_transaction_id,
    security_id, date, pending, content_hash, body)
  SELECT $1::bigint, tombstone_seq, first_seq, born_pending, posted_seq, true, transaction_id, account_id, provider_transaction_id,
         security_id, date, pending, content_hash, ''
    FROM gone, (SELECT count(*) FROM replaced) AS replaced_first
),
moved AS (
  UPDATE links SET investment_seq = investment_seq + made.versions, revision = revision + 1
    FROM (SELECT count(*) AS versions FROM gone) AS made
   WHERE links.pk = $1::bigint AND made.versions > 0
)
SELECT count(*)::int AS removed FROM gone
