import type { DeliveryEnd } from '../../activities/webhooks/webhook-activities.js';
import type { Environment } from '../../domain/api/environment.js';
import type { WebhookEventName } from '../../domain/webhooks/webhook-event-name.js';
import { knownAttributes, SEARCH_ATTRIBUTES } from '../search-attributes.js';
import { linksQueue } from '../task-queues.js';
import { upgraded, type WorkflowCommand, type WorkflowContract } from '../workflow.contract.js';

export const WEBHOOK_DELIVERY_WORKFLOW = 'webhookDelivery';
export interface WebhookDeliveryInput {
  deliveryId: string;
  /** Host and port of the receiver, shown to operators; never the path or query. */
  endpointHost: string;
  webhookEvent: WebhookEventName;
  /** WEBHOOK_TIMEOUT. */
  attemptTimeoutMs: number;
  /**
   * The delay after an attempt that ended without the time of the next one, such as after a crash
   * of the worker.
   */
  retryMs: number;
}

export type WebhookDeliveryResult = DeliveryEnd;

export function webhookDeliveryWorkflowId(deliveryId: string): string {
  return `webhook-delivery/${deliveryId}`;
}

export interface WebhookDeliveryStart extends WebhookDeliveryInput {
  linkId: string;
  appId: string;
  environment: Environment;
}

/**
 * For `client.workflow.start(WEBHOOK_DELIVERY_WORKFLOW, …)`. A delivery whose history was lost
 * starts again under the same id and continues from its row; a running one is left alone.
 */
export function webhookDeliveryStartOptions({
  linkId,
  appId,
  environment,
  ...input
}: WebhookDeliveryStart) {
  const { deliveryId, endpointHost, webhookEvent } = input;
  return {
    workflowId: webhookDeliveryWorkflowId(deliveryId),
    taskQueue: linksQueue(environment),
    args: [input] as [WebhookDeliveryInput],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    typedSearchAttributes: knownAttributes([
      { key: SEARCH_ATTRIBUTES.linkId, value: linkId },
      { key: SEARCH_ATTRIBUTES.appId, value: appId },
      { key: SEARCH_ATTRIBUTES.environment, value: environment },
      { key: SEARCH_ATTRIBUTES.webhookEvent, value: webhookEvent },
    ]),
    staticSummary: `${webhookEvent} to ${endpointHost}`,
    staticDetails:
      `Makes the later attempts of delivery \`${deliveryId}\` to **${endpointHost}** at their planned times. ` +
      'The pending activity shows why the last attempt failed and when the next is due. Canceling ends the delivery as `exhausted`.',
  };
}

type DeliveryRow = Pick<
  WebhookDeliveryStart,
  'webhookEvent' | 'linkId' | 'appId' | 'environment'
> & { status: string; url: string | null };

interface DeliveryFacts {
  deliveries: { describe(deliveryId: string): Promise<DeliveryRow | null> };
  delivery: Pick<WebhookDeliveryInput, 'attemptTimeoutMs' | 'retryMs'>;
}

const startWebhookDelivery: WorkflowCommand<{ deliveryId: string }, DeliveryFacts> = {
  async action({ deliveryId }, { deliveries, delivery }) {
    const row = await deliveries.describe(deliveryId);
    // Temporal deletes finished workflows, the row remains.
    if (row === null || row.status !== 'pending' || row.url === null) return null;
    const { webhookEvent, linkId, appId, environment, url } = row;
    const of = { deliveryId, webhookEvent, linkId, appId, environment, ...delivery };
    const options = webhookDeliveryStartOptions({ ...of, endpointHost: new URL(url).host });
    return { name: 'start', options };
  },
  runOf: ({ deliveryId }) => webhookDeliveryWorkflowId(deliveryId),
};

/** A workflow that is not running has ended by itself, or its row was never open. */
const endWebhookDelivery: WorkflowCommand<{ deliveryId: string }> = {
  action: ({ deliveryId }) => ({
    name: 'cancel',
    workflowId: webhookDeliveryWorkflowId(deliveryId),
  }),
};

export const WEBHOOK_DELIVERY_CONTRACT = {
  type: WEBHOOK_DELIVERY_WORKFLOW,
  versioning: upgraded('its attempts are planned over days'),
  commands: { startWebhookDelivery, endWebhookDelivery },
} as const satisfies WorkflowContract;
