-- Stores accounts with the balance and cash of their last list. $1 account keys, $2 conventions, $3 bodies as lines of one
-- text.
INSERT INTO holdings_accounts (account_pk, convention, body)
SELECT * FROM unnest($1::bigint[], $2::text[], string_to_array($3::text, E'\n'))
    ON CONFLICT (account_pk) DO UPDATE SET convention = excluded.convention, body = excluded.body
