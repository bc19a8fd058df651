-- The debts of open, permitted accounts of one link of a tenant, by the keys of the accounts. $1 app_id, $2 environment,
-- $3 link_id, $4 account ids or null for all, $5 key of the account to continue after, $6 their number.
SELECT account.pk, liability.body
  FROM links
  JOIN accounts account ON account.link_pk = links.pk
  JOIN liabilities liability ON liability.account_pk = account.pk
 WHERE links.link_id = $3 AND links.app_id = $1 AND links.environment = $2 AND links.state <> 'deleted'
   AND account.permitted AND NOT account.closed
   AND ($4::text[] IS NULL OR account.account_id = ANY($4::text[]))
   AND account.pk > $5::bigint
 ORDER BY account.pk
 LIMIT $6::int
