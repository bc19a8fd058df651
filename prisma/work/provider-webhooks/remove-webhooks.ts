import type { Tx } from '../../base/database/tx.js';
import { webhookKeyOwner } from './sealed-webhook.js';

/** Removes the webhooks that a configuration received, with their keys. */
export async function removeWebhooks(tx: Tx, provider: string): Promise<void> {
  const rows = await tx.providerWebhook.findMany({
    where: { provider, sealed: { not: null } },
    select: { webhookId: true },
  });
  const owners = rows.map(({ webhookId }) => webhookKeyOwner(webhookId));
  await tx.dataKey.deleteMany({ where: { owner: { in: owners } } });
  await tx.providerWebhook.deleteMany({ where: { provider } });
}
