-- The holdings of the accounts $1, with those that ended since the day $2: they may return.
SELECT holding.pk, holding.holding_id, holding.account_pk, holding.place, holding.provider_holding_id,
       security.security_id,
       security.facts::json ->> 'name' AS name, CASE WHEN security.belongs_to IS NOT NULL THEN security.facts END AS own_facts, holding.quantity::text AS quantity, holding.acquired_on::text AS acquired_on,
       holding.contribution_source, holding.sub_account, holding.cost_reported, holding.cost_basis::text AS cost_basis,
       holding.cost_source, holding.cost_evidence, holding.body, holding.ended::text AS ended
  FROM holdings holding
  JOIN securities security ON security.pk = holding.security_pk
 WHERE holding.account_pk = ANY($1::bigint[]) AND (holding.ended IS NULL OR holding.ended >= $2::date)
 ORDER BY holding.account_pk, holding.place
