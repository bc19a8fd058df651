-- Updates the permitted accounts of a link from the institution's current list. An unlisted account
-- counts as missing from then on, and is closed at once or later; a relisted one is reopened; one
-- that was never offered to the user is not stored (link-lifecycle 8: new accounts are offered).
-- Unchanged rows are not written.
-- $1 link_pk, then one array per column, in the order of `listed`, $11 provider ids of accounts
-- that the list does not report on: they stay as they are; $12 now by the clock of the link, $13
-- accounts that have been missing since then or earlier are closed. Returns the number of changed
-- rows, and whether any permitted account is listed or, if not, whether there are some and the list
-- reports on all of them.
WITH listed AS MATERIALIZED (
  SELECT provider_account_id, account_type, name, mask, currency, available::numeric, "current"::numeric, "limit"::numeric,
         balance_date::timestamptz(3), (place - 1)::int AS position
    FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
         WITH ORDINALITY
         AS row(provider_account_id, account_type, name, mask, currency, available, "current", "limit", balance_date, place)
),
changed AS (
  UPDATE accounts SET
         account_type = listed.account_type, name = listed.name, mask = listed.mask, currency = listed.currency,
         available = listed.available, "current" = listed."current", "limit" = listed."limit",
         balance_date = listed.balance_date, closed = false, missing_since = NULL, position = listed.position
    FROM listed
   WHERE accounts.link_pk = $1::bigint AND accounts.provider_account_id = listed.provider_account_id AND accounts.permitted
     AND (accounts.account_type, accounts.name, accounts.mask, accounts.currency, accounts.available, accounts."current",
          accounts."limit", accounts.balance_date, accounts.closed, accounts.missing_since, accounts.position)
         IS DISTINCT FROM
         (listed.account_type, listed.name, listed.mask, listed.currency, listed.available, listed."current",
          listed."limit", listed.balance_date, false, NULL::timestamptz, listed.position)
  RETURNING 1
),
missing AS (
  UPDATE accounts SET missing_since = coalesce(missing_since, $12::timestamptz),
         closed = closed OR coalesce(missing_since, $12::timestamptz) <= $13::timestamptz
   WHERE link_pk = $1::bigint AND permitted AND provider_account_id <> ALL($11::text[])
     AND (missing_since IS NULL OR (NOT closed AND missing_since <= $13::timestamptz))
     AND NOT EXISTS (SELECT 1 FROM listed WHERE listed.provider_account_id = accounts.provider_account_id)
  RETURNING 1
)
SELECT ((SELECT count(*) FROM changed) + (SELECT count(*) FROM missing))::int AS changed,
       (SELECT CASE WHEN bool_or(listed.position IS NOT NULL) THEN 'listed'
                    WHEN bool_and(accounts.provider_account_id <> ALL($11::text[])) THEN 'gone' ELSE 'unknown' END
          FROM accounts LEFT JOIN listed USING (provider_account_id)
         WHERE accounts.link_pk = $1::bigint AND accounts.permitted) AS standing
