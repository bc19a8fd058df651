-- Stores the accounts of an imported link. $1 link_pk, $2 created_at, then one array per column, in the order
-- the app lists them.
INSERT INTO accounts (
  link_pk, created_at, account_id, provider_account_id, original_id, account_type, name, nickname, mask, currency,
  available, "current", "limit", balance_date, position)
SELECT $1::bigint, $2::timestamptz(3), account_id, provider_account_id, original_id, account_type, name, nickname, mask, currency,
       available::numeric, "current"::numeric, "limit"::numeric, balance_date::timestamptz(3), (place - 1)::int
  FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[])
       WITH ORDINALITY
       AS row(account_id, provider_account_id, original_id, account_type, name, nickname, mask, currency, available, "current", "limit", balance_date, place)
