-- The accounts of one link of a tenant, in the institution's order. $1 app_id, $2 environment, $3 link_id, $4
-- account ids or null for all, $5 true: permitted only, $6 true: open only.
SELECT account.account_id, account.account_type, account.name, account.nickname, account.mask, account.closed, account.missing_since, account.original_id,
       account.currency, account.available::text, account."current"::text, account."limit"::text, account.balance_date
  FROM links
  JOIN accounts account ON account.link_pk = links.pk
 WHERE links.link_id = $3 AND links.app_id = $1 AND links.environment = $2 AND links.state <> 'deleted'
   AND ($4::text[] IS NULL OR account.account_id = ANY($4::text[]))
   AND (account.permitted OR NOT $5::boolean) AND (NOT account.closed OR NOT $6::boolean)
 ORDER BY account.position, account.pk
