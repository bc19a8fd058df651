-- Stores one batch of fetched investment transactions, as store-transactions does with rows in the other log. $1
-- link_pk, then one array per column, in the order of `incoming`; the bodies are lines of one text. Returns the number
-- of created and of changed rows.
WITH incoming AS MATERIALIZED (
  SELECT *
    FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::text[], string_to_array($9::text, E'\n'))
         WITH ORDINALITY
         AS row(provider_transaction_id, new_id, account_id, security_id, date, pending, content_hash, body_tail, place)
),
-- Unchanged rows stop here and are not written. A removed row is not current, so one that is
-- reported again is new.
changed AS MATERIALIZED (
  SELECT incoming.*, decode(incoming.content_hash, 'hex') AS hash,
         current.seq AS old_seq, current.first_seq AS old_first_seq, current.born_pending AS old_born_pending, current.posted_seq AS old_posted_seq,
         coalesce(current.transaction_id, incoming.new_id) AS transaction_id,
         links.investment_seq + row_number() OVER (ORDER BY incoming.place) AS seq
    FROM incoming
    JOIN links ON links.pk = $1::bigint
    LEFT JOIN investment_transaction_versions current
      ON current.link_pk = $1::bigint AND current.provider_transaction_id = incoming.provider_transaction_id
     AND current.next_seq IS NULL AND NOT current.removed
   WHERE current.content_hash IS DISTINCT FROM decode(incoming.content_hash, 'hex')
),
replaced AS (
  UPDATE investment_transaction_versions old SET next_seq = changed.seq
    FROM changed
   WHERE old.link_pk = $1::bigint AND old.seq = changed.old_seq
  RETURNING old.seq
),
-- Counting `replaced` completes it first: both partial unique indexes allow only one current version at any
-- moment.
stored AS (
  INSERT INTO investment_transaction_versions (
    link_pk, seq, first_seq, born_pending, posted_seq, removed, transaction_id, account_id, provider_transaction_id,
    security_id, date, pending, content_hash, body)
  SELECT $1::bigint, seq, coalesce(old_first_seq, seq), coalesce(old_born_pending, pending),
         coalesce(old_posted_seq, CASE WHEN NOT pending THEN seq END), false, transaction_id, account_id, provider_transaction_id,
         security_id, date::date, pending, hash, '{"investment_transaction_id":"' || transaction_id || '"' || body_tail
    FROM changed, (SELECT count(*) FROM replaced) AS replaced_first
),
moved AS (
  UPDATE links SET investment_seq = investment_seq + made.versions, revision = revision + 1
    FROM (SELECT count(*) AS versions FROM changed) AS made
   WHERE links.pk = $1::bigint AND made.versions > 0
)
SELECT (count(*) FILTER (WHERE old_seq IS NULL))::int AS created,
       (count(*) FILTER (WHERE old_seq IS NOT NULL))::int AS updated
  FROM changed
