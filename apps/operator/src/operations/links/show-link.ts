import { remedyOf } from '../../../../../domain/link/link-remedies.js';
import type { LinkError, LinkState } from '../../../../../domain/link/link-state.js';
import type { StoredIncomplete } from '../../../../../domain/refresh/incomplete-product.js';
import {
  reportLink,
  type LinkReport,
  type ReportedSession,
  type ReportedUnrevoked,
} from '../../../../../prisma/links/link/link-report.js';
import { productRefreshWorkflowId } from '../../../../../workflows/product-refresh/product-refresh.contract.js';
import { sandboxControlWorkflowId } from '../../../../../workflows/sandbox-control/sandbox-control.contract.js';
import {
  linkSessionWorkflowId,
  reauthenticationWorkflowId,
} from '../../../../../workflows/session/session.contract.js';
import { webhookDeliveryWorkflowId } from '../../../../../workflows/webhook-delivery/webhook-delivery.contract.js';
import type { Service } from '../../service.js';
import type { ShownLink, ShownUnrevoked } from './shown-link.js';

/**
 * Null = there is no such link.
 * @param max of its sessions and unrevoked permissions, the newest; missing = all
 */
export async function showLink(
  { database }: Pick<Service, 'database'>,
  linkId: string,
  max?: number,
): Promise<ShownLink | null> {
  const report = await reportLink(database, linkId, max);
  return report === null ? null : present(report);
}

function present({ link, adapter, sessions, events, unrevoked }: LinkReport): ShownLink {
  const shownEvents = events.map((event) => ({
    event_id: event.eventId,
    webhook_event: event.webhookEvent,
    created_at: event.createdAt.toISOString(),
    delivery_token: event.deliveryId,
    status: event.status,
    attempts: event.attempts ?? 0,
    next_attempt_at: event.nextAttemptAt?.toISOString() ?? null,
  }));
  const state = link.state as LinkState;
  const error = link.errorCode as LinkError | null;
  const { meaning, remedy } = remedyOf(state, error);
  return {
    link_id: link.linkId,
    app_id: link.appId,
    environment: link.environment,
    institution_id: link.institutionId,
    provider: link.provider,
    state,
    error,
    error_message: link.errorMessage,
    error_cause: link.errorCause,
    meaning,
    remedy,
    created_at: link.createdAt.toISOString(),
    connected_at: link.connectedAt?.toISOString() ?? null,
    exchange_expires_at: link.exchangeExpiresAt?.toISOString() ?? null,
    next_due_at: link.nextDueAt?.toISOString() ?? null,
    slow_due_at: link.slowDueAt?.toISOString() ?? null,
    faulty_runs: link.faultyRuns,
    products: link.products.map((product) => ({
      product: product.product,
      granted: product.granted,
      state: product.state,
      refreshed_at: product.refreshedAt?.toISOString() ?? null,
      last_attempted_at: product.lastAttemptedAt?.toISOString() ?? null,
      error_code: product.errorCode,
      error_cause: product.errorCause,
    })),
    incomplete_accounts: link.products.flatMap(({ product, incomplete }) =>
      // Only complete fetches and logins write this column.
      (incomplete as unknown as StoredIncomplete[]).map((account) => ({
        product,
        adapter,
        ...account,
      })),
    ),
    workflow_ids: [
      ...sessions.map(sessionWorkflowId),
      productRefreshWorkflowId(link.linkId),
      // A delivery has a workflow once its first attempt failed.
      ...shownEvents.flatMap((event) =>
        event.delivery_token !== null && event.status === 'pending' && event.attempts > 0
          ? [webhookDeliveryWorkflowId(event.delivery_token)]
          : [],
      ),
    ],
    events: shownEvents,
    unrevoked_permissions: unrevoked.map(presentUnrevoked),
  };
}

export const presentUnrevoked = ({
  provider,
  reference,
  reason,
  createdAt,
}: ReportedUnrevoked): ShownUnrevoked => ({
  provider,
  reference,
  reason,
  created_at: createdAt.toISOString(),
});

function sessionWorkflowId({ sessionId, beganAs, openedAt }: ReportedSession): string {
  // A session to repair a link belongs to it before it is opened.
  if (beganAs === 'relink') return reauthenticationWorkflowId(sessionId);
  // No one opens the session of POST /sandbox/link in Connect: its workflow logs in without a user.
  return openedAt === null ? sandboxControlWorkflowId(sessionId) : linkSessionWorkflowId(sessionId);
}
