import { translateFailures, type FailureTranslation } from '../../../../activities/failures.js';
import type { Context } from '../../../../prisma/base/context.js';
import type { Provider } from '../../../../providers/contract/provider.js';
import { SANDBOX_PROVIDER } from '../../../../domain/link/provider-name.js';
import { isTemporaryDatabaseFailure } from '../../../../prisma/base/database/database-failures.js';
import {
  LINKS_QUEUE,
  providerQueue,
  SANDBOX_LINKS_QUEUE,
  SANDBOX_QUEUE,
  SANDBOX_WEBHOOKS_QUEUE,
  WEBHOOKS_QUEUE,
  WORLDS_QUEUE,
} from '../../../../workflows/task-queues.js';
import type { WorkerSettings } from '../../../platform/src/config/settings.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import type { WorkerObservers } from '../metrics/worker-metrics.js';
import type { QueueWorker } from '../temporal/temporal-workers.js';
import { createBankAccess } from './bank-access.js';
import { createCatalogParts } from './catalog.js';
import { createDeletionParts } from './deletion.js';
import { createKeyParts } from './keys.js';
import { createLinkingParts } from './linking.js';
import { createProviderWebhookParts } from './provider-webhooks.js';
import { createRefreshParts } from './refresh.js';
import { createSandboxParts } from './sandbox.js';
import { createWebhookParts } from './webhook-parts.js';

/** Live shares the connection pool and the processor: Sandbox gets a fixed part of them, whatever its load. */
const SANDBOX_LINKS = {
  maxConcurrentWorkflowTaskExecutions: 10,
  maxConcurrentLocalActivityExecutions: 10,
  maxCachedWorkflows: 250,
};
const MAX_CONCURRENT_WORLDS = 10;

export type WorkerParts = ReturnType<typeof createWorkerParts>;

/** Repositories, providers and activities of the worker, by subject. */
export function createWorkerParts(
  ctx: Context,
  settings: WorkerSettings,
  logger: Logger,
  observe: WorkerObservers,
) {
  const banks = createBankAccess(ctx, settings, logger, observe);
  const refresh = createRefreshParts(banks, logger, observe.refresh);
  return {
    banks,
    catalog: createCatalogParts(banks),
    linking: createLinkingParts(banks, logger),
    refresh,
    providerWebhooks: createProviderWebhookParts(banks, refresh.requests, observe.providerWebhook),
    deletion: createDeletionParts(banks),
    keys: createKeyParts(ctx, settings, logger),
    sandbox: createSandboxParts(banks),
    webhooks: createWebhookParts({
      ctx,
      settings,
      logger,
      chance: Math.random,
      observe: observe.attempt,
    }),
  };
}

export interface WorkerQueues {
  /** For the lifetime of the process. */
  fixed: QueueWorker[];
  ofProvider(provider: Pick<Provider, 'name' | 'facts'>): QueueWorker;
}

/** The activities of each task queue. `links` and `links-sandbox` run the workflows, too. */
export function createQueues(
  {
    banks,
    catalog,
    linking,
    refresh,
    providerWebhooks,
    deletion,
    keys,
    sandbox,
    webhooks,
  }: WorkerParts,
  settings: WorkerSettings,
  logger: Logger,
): WorkerQueues {
  const translation: FailureTranslation = {
    report: (activity, err) => logger.warn({ activity, err }, 'activity.failed'),
    isTemporary: isTemporaryDatabaseFailure,
  };
  const links = {
    activities: translateFailures(
      {
        ...linking.databaseActivities,
        ...refresh.databaseActivities,
        ...providerWebhooks.databaseActivities,
        ...deletion.databaseActivities,
        ...keys.databaseActivities,
        ...webhooks.activities,
      },
      translation,
    ),
    enableNonLocalActivities: false,
  };
  const sandboxActivities = { activities: translateFailures(sandbox.activities, translation) };
  const deliveries = {
    activities: translateFailures(webhooks.activities, translation),
    maxConcurrentActivityTaskExecutions: 2 * settings.webhookAttemptsPerApp,
  };
  const bankActivities = translateFailures(
    {
      ...linking.bankActivities,
      ...refresh.bankActivities,
      ...providerWebhooks.bankActivities,
      ...deletion.bankActivities,
      ...catalog.bankActivities,
    },
    translation,
  );
  const ofProvider: WorkerQueues['ofProvider'] = ({ name, facts }) => ({
    taskQueue: providerQueue(name),
    activities: bankActivities,
    ...(facts.requestsPerSecond === null
      ? {}
      : { maxTaskQueueActivitiesPerSecond: facts.requestsPerSecond }),
  });
  const fixed = [
    { taskQueue: LINKS_QUEUE, ...links },
    { taskQueue: SANDBOX_LINKS_QUEUE, ...links, ...SANDBOX_LINKS },
    { taskQueue: SANDBOX_QUEUE, ...sandboxActivities },
    {
      taskQueue: WORLDS_QUEUE,
      ...sandboxActivities,
      maxConcurrentActivityTaskExecutions: MAX_CONCURRENT_WORLDS,
    },
    { taskQueue: WEBHOOKS_QUEUE, ...deliveries },
    { taskQueue: SANDBOX_WEBHOOKS_QUEUE, ...deliveries },
    ...banks.providers.all().map(ofProvider),
    // Work of links that were created while the sandbox was served fails instead of waiting.
    ...(settings.sandboxBankUrl === undefined
      ? [{ taskQueue: providerQueue(SANDBOX_PROVIDER), activities: bankActivities }]
      : []),
  ];
  return { fixed, ofProvider };
}
