import type { Context } from '../../../../prisma/base/context.js';
import { AccessTokenRepository } from '../../../../prisma/tenants/applications/access-token.repository.js';
import { OverdueStepRepository } from '../../../../prisma/work/linking/overdue-step.repository.js';
import type { WorkerSettings } from '../../../platform/src/config/settings.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import type { WorkerParts } from '../parts/worker-parts.js';
import type { WorkerSchedules } from '../schedules/worker-schedules.js';
import type { StalledRuns } from '../temporal/stalled-runs.js';
import { overdueTasks, retentionTasks } from './sweep-tasks.js';
import { Sweeper, type SweeperOptions } from './sweeper.js';

export interface SweeperParts {
  ctx: Context;
  settings: WorkerSettings;
  parts: WorkerParts;
  schedules: WorkerSchedules;
  stalledRuns: StalledRuns;
  logger: Logger;
  onSwept: SweeperOptions['onSwept'];
}

/** Restores schedules, ends stalled runs, and acts on rows that are overdue or kept long enough. */
export function createSweeper({
  ctx,
  settings,
  parts,
  schedules,
  stalledRuns,
  logger,
  onSwept,
}: SweeperParts): Sweeper {
  const { linking, refresh, deletion, webhooks, providerWebhooks, keys, sandbox, banks } = parts;
  return new Sweeper({
    tasks: [
      { name: 'schedules', sweep: () => schedules.ensure() },
      { name: 'stalled_runs', sweep: (now) => stalledRuns.sweep(now) },
      ...overdueTasks({
        times: linking.times,
        steps: new OverdueStepRepository(ctx),
        refresh: refresh.requests,
        permissions: deletion.permissions,
        revocations: deletion.revocations,
        deliveries: webhooks.deliveries,
        providerWebhooks: providerWebhooks.webhooks,
        tokens: new AccessTokenRepository(ctx),
        overdueMs: settings.overdueAfter,
      }),
      ...retentionTasks({
        ctx,
        settings,
        logger,
        erasures: deletion.erasures,
        rotations: keys.rotations,
        sandboxRequests: sandbox.requests,
        quotas: banks.quotas,
        providerWebhooks: providerWebhooks.webhooks,
      }),
    ],
    intervalMs: settings.sweepInterval,
    clock: ctx.clock,
    logger,
    onSwept,
  });
}
