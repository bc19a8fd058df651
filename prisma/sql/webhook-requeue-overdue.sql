-- $1 overdue before, $2 now, $3 limit. Deliveries whose next attempt nobody makes: the history of their workflow is lost.
INSERT INTO outbox_commands (kind, payload)
SELECT 'startWebhookDelivery', jsonb_build_object('deliveryId', d.delivery_id)
FROM webhook_deliveries d
WHERE d.status = 'pending' AND d.in_workflow AND d.next_attempt_at < $1::timestamptz
  AND NOT EXISTS (SELECT 1 FROM webhook_leases l WHERE l.delivery_pk = d.pk AND l.leased_until > $2::timestamptz)
  AND NOT EXISTS (
    SELECT 1 FROM outbox_commands o WHERE o.kind = 'startWebhookDelivery' AND o.payload ->> 'deliveryId' = d.delivery_id)
ORDER BY d.next_attempt_at, d.pk
LIMIT $3::int;
