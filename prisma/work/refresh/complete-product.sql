-- "All data stored" (link-lifecycle 7.2): completes the product $2 of the locked link $1 and the
-- requests it fulfills, including those merged into it (7.3). $3 now by the clock of the link, $4
-- now, $5 whether the whole history is stored, $6 the accounts whose data in the fetch was
-- incomplete. Returns the causes of the fetch, and the time at which the newest row version was
-- written.
WITH served AS (
  DELETE FROM refresh_requests WHERE link_pk = $1::bigint AND product = $2::text
  RETURNING cause, consumed_at
),
completed AS (
  UPDATE link_products
     SET state = 'completed', state_changed_at = $4::timestamptz, refreshed_at = $3::timestamptz, error_code = NULL, error_message = NULL,
         error_cause = NULL, unavailable = NULL, has_history = $5::boolean, incomplete = $6::jsonb
   WHERE link_pk = $1::bigint AND product = $2::text
),
moved AS (
  UPDATE links SET last_synced_at = $3::timestamptz, faulty_runs = 0, revision = revision + 1 WHERE pk = $1::bigint
)
SELECT (SELECT coalesce(json_agg(json_build_object('cause', cause, 'consumed_at', consumed_at)), '[]') FROM served) AS served,
       (SELECT created_at FROM transaction_versions WHERE link_pk = $1::bigint ORDER BY seq DESC LIMIT 1) AS newest_row_at
