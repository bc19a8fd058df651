-- The current investment transactions of the link $1 as match-trades.ts compares them. The including statement adds conditions.
SELECT current.provider_transaction_id, current.transaction_id, current.account_id, current.date::text, current.pending,
       fields.type, fields.currency, coalesce(abs(fields.amount), 0)::text AS amount, fields.description, NULL AS raw_description,
       concat_ws(' ', coalesce(fields.security_id, '-'), coalesce(fields.quantity, '-'), coalesce(sign(fields.amount), 0)::int) AS position
  FROM investment_transaction_versions current,
       json_to_record(current.body::json) AS fields(type text, currency text, amount numeric, security_id text, quantity text, description text)
 WHERE current.link_pk = $1::bigint AND current.next_seq IS NULL AND NOT current.removed
