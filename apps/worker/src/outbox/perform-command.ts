import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { Environment } from '../../../../domain/api/environment.js';
import type { OutboxCommand } from '../../../../prisma/base/outbox/outbox.js';
import type { RefreshSubject } from '../../../../domain/refresh/refresh-subject.js';
import type { WebhookDeliveryRepository } from '../../../../prisma/announcements/webhooks/webhook-delivery.repository.js';
import {
  endedSignal,
  exchangedSignal,
  linkSessionWorkflowId,
  reauthenticationWorkflowId,
} from '../../../../workflows/session/session.contract.js';
import {
  LINK_DELETION_WORKFLOW,
  linkDeletionStartOptions,
  linkDeletionWorkflowId,
  type LinkDeletionInput,
} from '../../../../workflows/link-deletion/link-deletion.contract.js';
import {
  PERMISSION_END_WORKFLOW,
  permissionEndStartOptions,
  permissionEndWorkflowId,
} from '../../../../workflows/permission-end/permission-end.contract.js';
import {
  PRODUCT_REFRESH_WORKFLOW,
  productRefreshStartOptions,
  productRefreshWorkflowId,
  type ProductRefreshInput,
} from '../../../../workflows/product-refresh/product-refresh.contract.js';
import {
  PROVIDER_WEBHOOK_WORKFLOW,
  providerWebhookStartOptions,
  providerWebhookWorkflowId,
} from '../../../../workflows/provider-webhook/provider-webhook.contract.js';
import {
  SANDBOX_CONTROL_WORKFLOW,
  sandboxControlStartOptions,
} from '../../../../workflows/sandbox-control/sandbox-control.contract.js';
import {
  SIGNING_KEY_ROTATION_WORKFLOW,
  signingKeyRotationStartOptions,
} from '../../../../workflows/signing-key-rotation/signing-key-rotation.contract.js';
import {
  USER_ERASURE_WORKFLOW,
  userErasureStartOptions,
  type UserErasureInput,
} from '../../../../workflows/user-erasure/user-erasure.contract.js';
import {
  WEBHOOK_DELIVERY_WORKFLOW,
  webhookDeliveryStartOptions,
  webhookDeliveryWorkflowId,
  type WebhookDeliveryInput,
} from '../../../../workflows/webhook-delivery/webhook-delivery.contract.js';
import type { Run, StalledRuns } from '../temporal/stalled-runs.js';

export interface PerformCommandOptions {
  client: Client;
  deliveries: Pick<WebhookDeliveryRepository, 'describe'>;
  /** Environment of a link, which selects the task queue; undefined = the link does not exist. */
  environmentOf: (linkId: string) => Promise<Environment | undefined>;
  /** Search attributes of a refresh of the link; undefined = the link does not exist. */
  subjectOf: (linkId: string) => Promise<RefreshSubject | undefined>;
  refresh: Omit<ProductRefreshInput, 'linkId'>;
  deletion: Omit<LinkDeletionInput, 'linkId'>;
  erasure: Omit<UserErasureInput, 'erasureId'>;
  delivery: Pick<WebhookDeliveryInput, 'attemptTimeoutMs' | 'retryMs'>;
  /** Publishes the key of a rotation that an operator requested. */
  publishKey: (rotation: string) => Promise<unknown>;
  /** Ends the run of an overdue row when it makes no progress. Missing: none is ended. */
  stalledRuns?: Pick<StalledRuns, 'endIfStalled'>;
  /** A call to Temporal that takes longer fails. */
  deadlineMs?: number;
}

/** Carries a command out in Temporal. Each has a fixed workflow id, so repeating it has no effect. */
export function createCommandPerformer(
  options: PerformCommandOptions,
): (command: OutboxCommand) => Promise<void> {
  const { client, deadlineMs = 10_000 } = options;

  async function perform(command: OutboxCommand): Promise<void> {
    const run = command.overdue === true ? runOf(command) : null;
    if (run !== null) await options.stalledRuns?.endIfStalled(run);
    switch (command.kind) {
      case 'startProductRefresh':
        await client.workflow.signalWithStart(
          PRODUCT_REFRESH_WORKFLOW,
          productRefreshStartOptions(await refreshOf(command.linkId)),
        );
        return;
      case 'startLinkDeletion':
        await client.workflow.signalWithStart(
          LINK_DELETION_WORKFLOW,
          linkDeletionStartOptions({ ...(await ofLink(command)), ...options.deletion }),
        );
        return;
      case 'startUserErasure':
        await client.workflow.start(
          USER_ERASURE_WORKFLOW,
          userErasureStartOptions({ erasureId: command.erasureId, ...options.erasure }),
        );
        return;
      case 'startWebhookDelivery':
        return startDelivery(command.deliveryId);
      case 'endWebhookDelivery':
        return endDelivery(command.deliveryId);
      case 'rotateSigningKey':
        // Anyone who reaches Temporal can start the workflow: only this command proves an operator's request.
        await options.publishKey(command.rotation);
        await client.workflow.start(
          SIGNING_KEY_ROTATION_WORKFLOW,
          signingKeyRotationStartOptions(command.rotation),
        );
        return;
      case 'endPermission': {
        const { kind: _, overdue: __, ...permission } = command;
        await client.workflow.start(
          PERMISSION_END_WORKFLOW,
          permissionEndStartOptions({ ...permission, ...(await ofLink(permission)) }),
        );
        return;
      }
      case 'startProviderWebhook':
        await client.workflow.start(
          PROVIDER_WEBHOOK_WORKFLOW,
          providerWebhookStartOptions(command),
        );
        return;
      case 'forgetWorld':
        await client.workflow.start(
          SANDBOX_CONTROL_WORKFLOW,
          sandboxControlStartOptions({
            requestId: command.sourceRef,
            action: { kind: 'forget_world', sourceRef: command.sourceRef },
          }),
        );
        return;
      case 'signalSession':
        return signalSession(command);
    }
  }

  async function refreshOf(linkId: string) {
    const subject = await options.subjectOf(linkId);
    return { linkId, ...options.refresh, ...(subject === undefined ? {} : { subject }) };
  }

  async function ofLink({ linkId }: { linkId: string }) {
    return { linkId, environment: await options.environmentOf(linkId) };
  }

  async function startDelivery(deliveryId: string): Promise<void> {
    const delivery = await options.deliveries.describe(deliveryId);
    // Temporal deletes finished workflows, the row remains.
    if (delivery === null || delivery.status !== 'pending' || delivery.url === null) return;
    const { webhookEvent, linkId, appId, environment, url } = delivery;
    await client.workflow.start(
      WEBHOOK_DELIVERY_WORKFLOW,
      webhookDeliveryStartOptions({
        deliveryId,
        endpointHost: new URL(url).host,
        webhookEvent,
        linkId,
        appId,
        environment,
        ...options.delivery,
      }),
    );
  }

  async function endDelivery(deliveryId: string): Promise<void> {
    try {
      await client.workflow.getHandle(webhookDeliveryWorkflowId(deliveryId)).cancel();
    } catch (error) {
      // The workflow ended by itself, or was never started: its row is not open.
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }

  async function signalSession({
    sessionId,
    mode,
    signal,
  }: Extract<OutboxCommand, { kind: 'signalSession' }>): Promise<void> {
    const workflowId =
      mode === 'link' ? linkSessionWorkflowId(sessionId) : reauthenticationWorkflowId(sessionId);
    try {
      await client.workflow
        .getHandle(workflowId)
        .signal(signal === 'exchanged' ? exchangedSignal : endedSignal);
    } catch (error) {
      // A session without a running workflow needs no notification.
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }

  return (command) => client.withDeadline(Date.now() + deadlineMs, () => perform(command));
}

/** The run that has the work of a command; null: the sweeper does not request it again. */
function runOf(command: OutboxCommand): Run | null {
  switch (command.kind) {
    case 'startProductRefresh':
      return {
        workflow: PRODUCT_REFRESH_WORKFLOW,
        workflowId: productRefreshWorkflowId(command.linkId),
      };
    case 'startLinkDeletion':
      return {
        workflow: LINK_DELETION_WORKFLOW,
        workflowId: linkDeletionWorkflowId(command.linkId),
      };
    case 'startWebhookDelivery':
      return {
        workflow: WEBHOOK_DELIVERY_WORKFLOW,
        workflowId: webhookDeliveryWorkflowId(command.deliveryId),
      };
    case 'endPermission':
      return { workflow: PERMISSION_END_WORKFLOW, workflowId: permissionEndWorkflowId(command) };
    case 'startProviderWebhook':
      return {
        workflow: PROVIDER_WEBHOOK_WORKFLOW,
        workflowId: providerWebhookWorkflowId(command.webhookId),
      };
    default:
      return null;
  }
}
