import type { Environment } from '../../../domain/api/environment.js';
import type { Tx } from '../database/tx.js';
import { notify } from '../database/notifications.js';
import { currentTraceId } from '../database/work-origin.js';

/** Temporal work caused by a transaction. Contains ids only, nothing secret. */
export type OutboxCommand = (
  | { kind: 'startProductRefresh'; linkId: string }
  | { kind: 'startLinkDeletion'; linkId: string }
  | { kind: 'startUserErasure'; erasureId: string }
  | { kind: 'startWebhookDelivery'; deliveryId: string }
  | { kind: 'endWebhookDelivery'; deliveryId: string }
  | { kind: 'rotateSigningKey'; rotation: string }
  | { kind: 'endPermission'; linkId: string; provider: string; dueAt: string }
  | {
      kind: 'startProviderWebhook';
      webhookId: string;
      provider: string;
      environment: Environment;
    }
  | { kind: 'forgetWorld'; sourceRef: string }
  | {
      kind: 'signalSession';
      sessionId: string;
      mode: 'link' | 'relink';
      signal: 'exchanged' | 'ended';
    }
) & {
  /** The row is overdue, so its run may have stalled; see the worker's `StalledRuns`. */
  overdue?: true;
};

/**
 * Writes the command in the transaction that causes it; the worker's relay runs it after the
 * commit.
 */
export async function enqueueCommand(
  tx: Tx,
  command: OutboxCommand,
  availableAt?: Date,
): Promise<void> {
  const { kind, ...payload } = command;
  await tx.outboxCommand.create({
    data: {
      kind,
      payload,
      traceId: currentTraceId(),
      ...(availableAt === undefined ? {} : { availableAt }),
    },
  });
  notify(tx, 'outbox');
}
