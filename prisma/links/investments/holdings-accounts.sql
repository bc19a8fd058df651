-- The open, permitted accounts of the link $1 with the provider ids $2, and those with holdings, with what is known of them.
SELECT account.pk, account.account_id, account.provider_account_id, known.convention, known.body,
       coalesce((SELECT max(place) FROM holdings WHERE holdings.account_pk = account.pk), 0) AS last_place
  FROM accounts account
  LEFT JOIN holdings_accounts known ON known.account_pk = account.pk
 WHERE account.link_pk = $1::bigint AND account.permitted AND NOT account.closed
   AND (account.provider_account_id = ANY($2::text[])
        OR EXISTS (SELECT FROM holdings WHERE holdings.account_pk = account.pk AND holdings.ended IS NULL))
 ORDER BY account.pk
