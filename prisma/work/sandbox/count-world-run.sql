-- Adds the changes of this transaction to the link $3 to the counts of the advance of the world $2
-- of the app $1, if the advance has started to move the clock. $4 the link's head_seq before, $5
-- whether it was in auth_expired before. Returns whether any product of the link remains to be
-- fetched.
UPDATE sandbox_worlds world
   SET ran = CASE WHEN world.ran IS NULL THEN NULL ELSE world.ran || jsonb_build_object(
         'settled_rows', (world.ran->>'settled_rows')::int + made.settled_rows,
         'expired_auths', (world.ran->>'expired_auths')::int + made.expired_auths,
         'events', (world.ran->>'events')::int + made.events) END
  FROM (SELECT (SELECT count(*)::int FROM transaction_versions version
                 WHERE version.link_pk = $3::bigint AND version.seq > $4::bigint AND version.posted_seq = version.seq AND version.first_seq < version.seq) AS settled_rows,
               (NOT $5::boolean AND coalesce(links.error_code = 'auth_expired', false))::int AS expired_auths,
               -- The limit is far above what one transaction creates.
               (SELECT count(*)::int FROM (SELECT xmin FROM webhook_events event WHERE event.link_id = links.link_id ORDER BY pk DESC LIMIT 200) newest
                 WHERE newest.xmin = pg_current_xact_id()::xid) AS events
          FROM links WHERE links.pk = $3::bigint) made
 WHERE world.app_id = $1::text AND world.world_id = $2::text
RETURNING EXISTS (SELECT 1 FROM link_products WHERE link_pk = $3::bigint AND granted AND state IN ('pending', 'in_progress')) AS more
