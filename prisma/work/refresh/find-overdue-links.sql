-- Links with a request waiting, or a product being fetched, since before $1, and without a start command. At
-- most $2. Running refreshes are included: starting them again has no effect, and a refresh whose workflow was
-- lost restarts.
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
