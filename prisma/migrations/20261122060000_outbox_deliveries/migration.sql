-- Whether a delivery that is overdue has a command already is asked delivery by delivery, also when all of them have.
CREATE INDEX "outbox_commands_delivery" ON "outbox_commands" (("payload" ->> 'deliveryId')) WHERE "kind" = 'startWebhookDelivery';
