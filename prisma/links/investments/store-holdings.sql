-- Inserts new holdings and updates changed ones, by their ids. $1 the day by the clock of the link, $2 now, then one array
-- per column, in the order of `changed`; the bodies are lines of one text.
INSERT INTO holdings (holding_id, account_pk, security_pk, place, provider_holding_id, quantity, value, currency, is_cash,
       acquired_on, contribution_source, sub_account, cost_reported, cost_basis, cost_source, cost_evidence, rows, body,
       first_seen, created_at)
SELECT changed.holding_id, changed.account_pk, security.pk, changed.place, changed.provider_holding_id,
       changed.quantity::numeric, changed.value::numeric, changed.currency, changed.is_cash, changed.acquired_on::date,
       changed.contribution_source, changed.sub_account, changed.cost_reported, changed.cost_basis::numeric,
       changed.cost_source, changed.cost_evidence, changed.rows, changed.body, $1::date, $2::timestamptz
  FROM unnest($3::text[], $4::bigint[], $5::text[], $6::int[], $7::text[], $8::text[], $9::text[], $10::text[], $11::boolean[],
              $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::text[], $19::int[],
              string_to_array($20::text, E'\n'))
       AS changed(holding_id, account_pk, security_id, place, provider_holding_id, quantity, value, currency, is_cash,
              acquired_on, contribution_source, sub_account, cost_reported, cost_basis, cost_source, cost_evidence, rows, body)
  JOIN securities security ON security.security_id = changed.security_id
 -- Exports list holdings by their keys.
 ORDER BY changed.account_pk, changed.place
    ON CONFLICT (holding_id) DO UPDATE
   SET security_pk = excluded.security_pk, provider_holding_id = excluded.provider_holding_id, quantity = excluded.quantity,
       value = excluded.value, currency = excluded.currency, is_cash = excluded.is_cash, acquired_on = excluded.acquired_on,
       contribution_source = excluded.contribution_source, sub_account = excluded.sub_account,
       cost_reported = excluded.cost_reported, cost_basis = excluded.cost_basis, cost_source = excluded.cost_source,
       cost_evidence = excluded.cost_evidence, rows = excluded.rows, body = excluded.body, ended = NULL
