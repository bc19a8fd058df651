-- Links with a request that waits, or a product under way, since before $1, and no start command on its way. At most $2.
-- A refresh that runs is found too: starting it does nothing. One whose workflow is lost begins again.
SELECT links.link_id
  FROM links
 WHERE links.pk IN (
         SELECT link_pk FROM refresh_requests WHERE consumed_at IS NULL AND created_at < $1::timestamptz
          UNION
         SELECT link_pk FROM link_products WHERE state = 'pending' AND state_changed_at < $1::timestamptz
          UNION
         SELECT link_pk FROM link_products WHERE state = 'in_progress' AND state_changed_at < $1::timestamptz)
   AND links.state NOT IN ('connecting', 'deleted')
   AND NOT EXISTS (
     SELECT 1 FROM outbox_commands command
      WHERE command.kind = 'startProductRefresh' AND command.payload->>'linkId' = links.link_id)
 LIMIT $2::int
