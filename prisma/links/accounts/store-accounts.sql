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
-- Known facts stay where the list lacks them: a type that it does not know, the digits of the number, and the balances,
-- all of them together (lacksBalances). Those of a debt whose type the list does not know have an unknown sign.
settled AS MATERIALIZED (
  SELECT account.pk, listed.name, listed.currency, listed.position, coalesce(listed.mask, account.mask) AS mask,
         CASE WHEN listed.account_type = 'unknown' THEN account.account_type ELSE listed.account_type END AS account_type,
         CASE WHEN kept.balances THEN account.available ELSE listed.available END AS available,
         CASE WHEN kept.balances THEN account."current" ELSE listed."current" END AS "current",
         CASE WHEN kept.balances THEN account."limit" ELSE listed."limit" END AS "limit",
         CASE WHEN kept.balances THEN account.balance_date ELSE listed.balance_date END AS balance_date
    FROM listed
    JOIN accounts account ON account.link_pk = $1::bigint AND account.provider_account_id = listed.provider_account_id AND account.permitted
   CROSS JOIN LATERAL (
         SELECT (account.currency = listed.currency AND listed."current" IS NULL AND (listed.available IS NULL OR account."current" IS NOT NULL))
                OR (listed.account_type = 'unknown' AND account.account_type LIKE 'liability.%') AS balances) AS kept
),
changed AS (
  UPDATE accounts SET
         account_type = settled.account_type, name = settled.name, mask = settled.mask, currency = settled.currency,
         available = settled.available, "current" = settled."current", "limit" = settled."limit",
         balance_date = settled.balance_date, closed = false, missing_since = NULL, position = settled.position
    FROM settled
   WHERE accounts.pk = settled.pk
     AND (accounts.account_type, accounts.name, accounts.mask, accounts.currency, accounts.available, accounts."current",
          accounts."limit", accounts.balance_date, accounts.closed, accounts.missing_since, accounts.position)
         IS DISTINCT FROM
         (settled.account_type, settled.name, settled.mask, settled.currency, settled.available, settled."current",
          settled."limit", settled.balance_date, false, NULL::timestamptz, settled.position)
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
