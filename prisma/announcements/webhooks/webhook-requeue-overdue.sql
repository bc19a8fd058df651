-- $1 overdue before, $2 now, $3 limit. Retries that are overdue because the history of their
-- workflow is lost. Visits each endpoint once, by the index; few deliveries of each are in a
-- workflow.
WITH RECURSIVE visited AS (
  (SELECT endpoint FROM webhook_deliveries WHERE status = 'pending' AND in_workflow AND endpoint > '' ORDER BY endpoint LIMIT 1)
  UNION ALL
  SELECT (SELECT d.endpoint FROM webhook_deliveries d WHERE d.status = 'pending' AND d.in_workflow AND d.endpoint > v.endpoint ORDER BY d.endpoint LIMIT 1)
  FROM visited v WHERE v.endpoint IS NOT NULL
)
INSERT INTO outbox_commands (kind, payload, trace_id)
SELECT 'startWebhookDelivery', jsonb_build_object('deliveryId', d.delivery_id, 'overdue', true), d.trace_id
FROM visited v CROSS JOIN LATERAL (
  SELECT d.pk, d.delivery_id, d.next_attempt_at, d.trace_id FROM webhook_deliveries d
  WHERE d.endpoint = v.endpoint AND d.status = 'pending' AND d.in_workflow AND d.next_attempt_at < $1::timestamptz
  -- Keeps it a look-up for each endpoint.
  OFFSET 0
) d
WHERE NOT EXISTS (SELECT 1 FROM webhook_leases l WHERE l.delivery_pk = d.pk AND l.leased_until > $2::timestamptz)
  AND NOT EXISTS (
    SELECT 1 FROM outbox_commands o WHERE o.kind = 'startWebhookDelivery' AND o.payload ->> 'deliveryId' = d.delivery_id)
ORDER BY d.next_attempt_at, d.pk
LIMIT $3::int;
