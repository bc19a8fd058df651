-- Links with a request that waits since before $1 and no start command on its way. At most $2.
SELECT DISTINCT links.link_id
  FROM refresh_requests request
  JOIN links ON links.pk = request.link_pk
 WHERE request.consumed_at IS NULL AND request.created_at < $1::timestamptz AND links.state <> 'deleted'
   AND NOT EXISTS (
     SELECT 1 FROM outbox_commands command
      WHERE command.kind = 'startProductRefresh' AND command.payload->>'linkId' = links.link_id)
 LIMIT $2::int
