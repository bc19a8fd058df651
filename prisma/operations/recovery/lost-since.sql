-- The newest row of frequently written tables, which shows an operator the age of the backup, and
-- the webhooks that the backup holds as not delivered yet.
SELECT greatest(
         (SELECT created_at FROM webhook_events ORDER BY pk DESC LIMIT 1),
         (SELECT created_at FROM links ORDER BY pk DESC LIMIT 1),
         (SELECT max(created_at) FROM operator_actions WHERE action <> 'recover')) AS newest,
       (SELECT count(*)::int FROM webhook_deliveries WHERE status = 'pending' AND url IS NOT NULL) AS pending_deliveries
