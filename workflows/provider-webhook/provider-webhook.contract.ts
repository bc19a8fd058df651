import type { WebhookToRead } from '../../activities/provider-webhooks/provider-webhook-activities.js';
import type { Environment } from '../../domain/api/environment.js';
import { SEARCH_ATTRIBUTES } from '../search-attributes.js';
import { linksQueue } from '../task-queues.js';
import { upgraded, type WorkflowCommand, type WorkflowContract } from '../workflow.contract.js';

export const PROVIDER_WEBHOOK_WORKFLOW = 'providerWebhook';
export type ProviderWebhookInput = WebhookToRead;

export function providerWebhookWorkflowId(webhookId: string): string {
  return `provider-webhook/${webhookId}`;
}

/**
 * For `client.workflow.start(PROVIDER_WEBHOOK_WORKFLOW, …)`. A running workflow is left alone; a
 * lost one starts again from the row.
 */
export function providerWebhookStartOptions({
  environment,
  webhookId,
  provider,
}: ProviderWebhookInput & { environment: Environment }) {
  return {
    workflowId: providerWebhookWorkflowId(webhookId),
    taskQueue: linksQueue(environment),
    args: [{ webhookId, provider }] as [ProviderWebhookInput],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    typedSearchAttributes: [
      { key: SEARCH_ATTRIBUTES.provider, value: provider },
      { key: SEARCH_ATTRIBUTES.environment, value: environment },
    ],
    staticSummary: `Webhook of ${provider}`,
    staticDetails:
      'Verifies a webhook of a provider and applies its effects. The webhook itself is a sealed row. Canceling drops it.',
  };
}

type StartProviderWebhook = Parameters<typeof providerWebhookStartOptions>[0];

const startProviderWebhook: WorkflowCommand<StartProviderWebhook> = {
  action: (command) => ({ name: 'start', options: providerWebhookStartOptions(command) }),
  runOf: ({ webhookId }) => providerWebhookWorkflowId(webhookId),
};

export const PROVIDER_WEBHOOK_CONTRACT = {
  type: PROVIDER_WEBHOOK_WORKFLOW,
  versioning: upgraded('it waits up to a week for a disabled configuration'),
  commands: { startProviderWebhook },
} as const satisfies WorkflowContract;
