import type { Context } from '../../base/context.js';
import { OverdueStepRepository } from '../../work/linking/overdue-step.repository.js';
import { SessionTimeRepository } from '../../work/linking/session-time.repository.js';
import { EndPermissionRepository } from '../../sources/permissions/end-permission.repository.js';
import { RevocationRepository } from '../../sources/permissions/revocation.repository.js';
import { ProviderWebhookRepository } from '../../work/provider-webhooks/provider-webhook.repository.js';
import { RefreshRequestRepository } from '../../work/refresh/refresh-request.repository.js';
import { WebhookDeliveryRepository } from '../../announcements/webhooks/webhook-delivery.repository.js';

/** The number of requests of each kind. */
export interface RequestedAgain {
  refreshes: number;
  deliveries: number;
  sessions: number;
  permissions: number;
  provider_webhooks: number;
}

const BATCH = 200;
/** The worker's sweeper handles what remains after these rounds. */
const MAX_ROUNDS = 5_000;

/**
 * Runs the tasks of the worker's sweeper immediately instead of after OVERDUE_AFTER: the workflow
 * of a row that is in progress in the backup may have ended since. Each task writes a command only
 * where none is waiting.
 */
export async function requestAgain(ctx: Context): Promise<RequestedAgain> {
  const now = ctx.clock();
  const steps = new OverdueStepRepository(ctx);
  const times = new SessionTimeRepository(ctx);
  const permissions = new EndPermissionRepository(ctx);
  const revocations = new RevocationRepository(ctx);
  const requests = new RefreshRequestRepository(ctx);
  const webhooks = new ProviderWebhookRepository(ctx, requests);
  const expired = await untilLess(() => times.sweepOverdue(now, BATCH), BATCH);
  const ended = await untilLess(() => steps.sweep(now, BATCH), BATCH);
  return {
    refreshes: await untilLess(() => requests.requeueOverdue(now, 0), BATCH),
    deliveries: await untilLess(
      () => new WebhookDeliveryRepository(ctx).requeueOverdue(now, 0),
      1_000,
    ),
    sessions: expired + ended,
    permissions:
      (await untilLess(() => permissions.requeueOverdue(now, BATCH), BATCH)) +
      (await revocations.sweep(now, { olderThanMs: 0, idleMs: 0, limit: BATCH })),
    provider_webhooks: await untilLess(() => webhooks.requeueOverdue(now, BATCH), BATCH),
  };
}

async function untilLess(task: () => Promise<number>, batch: number): Promise<number> {
  let total = 0;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const count = await task();
    total += count;
    if (count < batch) break;
  }
  return total;
}
