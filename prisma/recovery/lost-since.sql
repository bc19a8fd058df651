-- The newest row of tables that are written often, so that an operator sees how old the backup is, and the webhooks
-- that it has as not delivered yet.
SELECT greatest(
         (SELECT created_at FROM webhook_events ORDER BY pk DESC LIMIT 1),
         (SELECT created_at FROM links ORDER BY pk DESC LIMIT 1),
         (SELECT max(created_at) FROM operator_actions WHERE action <> 'recover')) AS newest,
       (SELECT count(*)::int FROM webhook_deliveries WHERE status = 'pending' AND url IS NOT NULL) AS pending_deliveries
