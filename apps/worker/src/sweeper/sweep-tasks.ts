import type { AccessTokenRepository } from '../../../../prisma/applications/access-token.repository.js';
import type { EndPermissionRepository } from '../../../../prisma/permissions/end-permission.repository.js';
import type { SessionTimeRepository } from '../../../../prisma/linking/session-time.repository.js';
import type { OverdueStepRepository } from '../../../../prisma/linking/overdue-step.repository.js';
import type { RefreshRepository } from '../../../../prisma/refresh/refresh.repository.js';
import type { RevocationRepository } from '../../../../prisma/permissions/revocation.repository.js';
import type { WebhookDeliveryRepository } from '../../../../prisma/webhooks/webhook-delivery.repository.js';
import type { SweepTask } from './sweeper.js';

export interface SweepTaskOptions {
  times: Pick<SessionTimeRepository, 'sweepOverdue'>;
  steps: Pick<OverdueStepRepository, 'sweep'>;
  refresh: Pick<RefreshRepository, 'requeueOverdue'>;
  permissions: Pick<EndPermissionRepository, 'requeueOverdue'>;
  revocations: Pick<RevocationRepository, 'sweep'>;
  deliveries: Pick<WebhookDeliveryRepository, 'requeueOverdue'>;
  tokens: Pick<AccessTokenRepository, 'removeExpired'>;
  /** How late something must be before it is nobody else's. Milliseconds. */
  overdueMs: number;
}

const ROWS_AT_ONCE = 200;
/** Longer than any wait between two tries to revoke. */
const REVOCATION_IDLE_MS = 2 * 3_600_000;
/** An app that uses an old token is told that it has expired, and not that there is none. */
const TOKEN_KEPT_MS = 24 * 3_600_000;
/** A round each minute: more than the busiest operator issues. */
const TOKENS_AT_ONCE = 5_000;

/** Sessions and links, steps, fetches, permissions to end or to revoke, and deliveries that are overdue; tokens nobody needs. */
export function createSweepTasks({
  times,
  steps,
  refresh,
  permissions,
  revocations,
  deliveries,
  tokens,
  overdueMs,
}: SweepTaskOptions): SweepTask[] {
  return [
    {
      name: 'sessions',
      sweep: (now) => times.sweepOverdue(new Date(now.getTime() - overdueMs), ROWS_AT_ONCE),
    },
    {
      name: 'steps',
      sweep: (now) => steps.sweep(new Date(now.getTime() - overdueMs), ROWS_AT_ONCE),
    },
    { name: 'refreshes', sweep: (now) => refresh.requeueOverdue(now, overdueMs) },
    {
      name: 'permissions',
      sweep: (now) => permissions.requeueOverdue(new Date(now.getTime() - overdueMs), ROWS_AT_ONCE),
    },
    {
      name: 'revocations',
      sweep: (now) =>
        revocations.sweep(now, {
          olderThanMs: overdueMs,
          idleMs: REVOCATION_IDLE_MS,
          limit: ROWS_AT_ONCE,
        }),
    },
    { name: 'deliveries', sweep: (now) => deliveries.requeueOverdue(now, overdueMs) },
    {
      name: 'access_tokens',
      sweep: (now) => tokens.removeExpired(new Date(now.getTime() - TOKEN_KEPT_MS), TOKENS_AT_ONCE),
    },
  ];
}
