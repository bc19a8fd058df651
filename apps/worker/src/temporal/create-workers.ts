import type { Context } from '../../../../prisma/base/context.js';
import { LINKS_QUEUE, SANDBOX_LINKS_QUEUE } from '../../../../workflows/task-queues.js';
import type { WorkerSettings } from '../../../platform/src/config/settings.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { workerDataConverter } from '../../../platform/src/temporal/temporal-client.js';
import { temporalPlace } from '../../../platform/src/temporal/temporal-place.js';
import type { WorkerMetrics } from '../metrics/worker-metrics.js';
import { workflowBundle as builtBundle } from './bundle-workflows.js';
import { guardActivities } from './guard-activities.js';
import {
  TemporalWorkers,
  type QueueWorker,
  type TemporalWorkersOptions,
} from './temporal-workers.js';
import { traceActivities } from './trace-activities.js';
import { bundleOfWorkers, deploymentOptions, workerVersion } from './worker-version.js';

const WORKFLOW_QUEUES = [LINKS_QUEUE, SANDBOX_LINKS_QUEUE];

export interface CreateWorkersOptions {
  ctx: Context;
  settings: WorkerSettings;
  queues: readonly QueueWorker[];
  activityMetrics: WorkerMetrics['activities'];
  logger: Logger;
  beforePolling: TemporalWorkersOptions['beforePolling'];
}

/** One worker for each task queue; those of links run this build's workflows. */
export async function createWorkers({
  ctx,
  settings,
  queues,
  activityMetrics,
  logger,
  beforePolling,
}: CreateWorkersOptions): Promise<TemporalWorkers> {
  const bundle = await builtBundle();
  const version = workerVersion(bundle);
  const isVersioned = settings.workerVersioning;
  const workflowBundle = bundleOfWorkers(bundle, { isVersioned });
  logger.info({ build_id: version.buildId, versioned: isVersioned }, 'worker.build');
  return new TemporalWorkers({
    ...temporalPlace(settings),
    queues: queues.map((queue) =>
      WORKFLOW_QUEUES.includes(queue.taskQueue) ? { ...queue, workflowBundle } : queue,
    ),
    shared: {
      dataConverter: workerDataConverter(settings.masterKeys),
      interceptors: { activity: [guardActivities, traceActivities, activityMetrics] },
      workerDeploymentOptions: deploymentOptions(version, { isVersioned }),
      patchActivationCallback: () => settings.workflowPatches,
    },
    logger,
    clock: ctx.clock,
    beforePolling,
  });
}
