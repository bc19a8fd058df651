import type { Client } from '@temporalio/client';
import type { Context } from '../../../../prisma/base/context.js';
import { environmentOfLink } from '../../../../prisma/links/link/link-environment.js';
import { OutboxRepository } from '../../../../prisma/base/outbox/outbox.repository.js';
import { refreshSubject } from '../../../../prisma/work/refresh/refresh-subject.js';
import type { WorkerSettings } from '../../../platform/src/config/settings.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import type { WorkerParts } from '../parts/worker-parts.js';
import type { StalledRuns } from '../temporal/stalled-runs.js';
import { OutboxRelay } from './outbox-relay.js';
import { createCommandPerformer } from './perform-command.js';

/** link-lifecycle 7.3: back-off of a failing fetch begins here. */
const FIRST_FETCH_RETRY_MS = 5_000;
/** link-lifecycle 9: back-off of ending a permission at a bank. */
const REVOCATION_RETRY_MS = { firstRetryMs: 5_000, longestRetryMs: 3_600_000 };
/** A user's record waits until banks have ended the permissions; most do so immediately. */
const ERASURE_WAIT_MS = { firstWaitMs: 1_000, longestWaitMs: 3_600_000 };
/** Wait after a delivery attempt that ended without reporting the time of the next one. */
const DELIVERY_RETRY_MS = 5_000;

export interface OutboxParts {
  ctx: Context;
  client: Client;
  settings: WorkerSettings;
  parts: WorkerParts;
  stalledRuns: StalledRuns;
  logger: Logger;
}

/** Starts and signals workflows as the commands in the outbox request. */
export function createOutbox({
  ctx,
  client,
  settings,
  parts,
  stalledRuns,
  logger,
}: OutboxParts): OutboxRelay {
  return new OutboxRelay({
    outbox: new OutboxRepository(ctx),
    perform: createCommandPerformer({
      client,
      deliveries: parts.webhooks.deliveries,
      environmentOf: (linkId) => environmentOfLink(ctx, linkId),
      subjectOf: (linkId) => refreshSubject(ctx, linkId),
      refresh: {
        fetchRetryForMs: settings.fetchRetryFor,
        fetchRetryForSandboxMs: settings.fetchRetryForSandbox,
        firstRetryMs: FIRST_FETCH_RETRY_MS,
      },
      deletion: REVOCATION_RETRY_MS,
      erasure: ERASURE_WAIT_MS,
      publishKey: (rotation) => parts.keys.publishRequested(rotation),
      delivery: { attemptTimeoutMs: settings.webhookTimeout, retryMs: DELIVERY_RETRY_MS },
      stalledRuns,
    }),
    logger,
    clock: ctx.clock,
  });
}
