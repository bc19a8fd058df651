import { removeExpiredUses } from '../../../../prisma/tenants/applications/idempotency.repository.js';
import type { AccessTokenRepository } from '../../../../prisma/tenants/applications/access-token.repository.js';
import { removeFullBuckets } from '../../../../prisma/tenants/applications/token-call-limit.js';
import type { Context } from '../../../../prisma/base/context.js';
import { eraseEventTokens } from '../../../../prisma/announcements/events/event-body.js';
import type { KeyRotationRepository } from '../../../../prisma/base/keys/key-rotation.repository.js';
import type { OverdueStepRepository } from '../../../../prisma/work/linking/overdue-step.repository.js';
import type { SessionTimeRepository } from '../../../../prisma/work/linking/session-time.repository.js';
import { announceDueEnds } from '../../../../prisma/links/link/announce-coming-end.js';
import { removeUnusedSecurities } from '../../../../prisma/links/investments/remove-unused-securities.js';
import { thinHoldingDays } from '../../../../prisma/links/investments/thin-holding-days.js';
import { purgeLinks } from '../../../../prisma/links/link/purge-links.js';
import type { EndPermissionRepository } from '../../../../prisma/sources/permissions/end-permission.repository.js';
import type { RevocationRepository } from '../../../../prisma/sources/permissions/revocation.repository.js';
import { reportUnrevoked } from '../../../../prisma/sources/permissions/unrevoked-permission.js';
import { forgetPlaidTokens } from '../../../../prisma/views/plaid/plaid-session.repository.js';
import type { ProviderWebhookRepository } from '../../../../prisma/work/provider-webhooks/provider-webhook.repository.js';
import type { QuotaRepository } from '../../../../prisma/sources/quotas/quota.repository.js';
import type { RefreshRequestRepository } from '../../../../prisma/work/refresh/refresh-request.repository.js';
import type { SandboxRequestRepository } from '../../../../prisma/work/sandbox/sandbox-request.repository.js';
import { removeOldSessions } from '../../../../prisma/links/sessions/session-retention.js';
import type { UserErasureRepository } from '../../../../prisma/views/users/user-erasure.repository.js';
import { removeUnusedUsers } from '../../../../prisma/views/users/user-retention.js';
import { removeOldEvents } from '../../../../prisma/announcements/webhook-log/event-retention.js';
import { WebhookListenerRepository } from '../../../../prisma/announcements/webhook-listeners/webhook-listener.repository.js';
import type { WebhookDeliveryRepository } from '../../../../prisma/announcements/webhooks/webhook-delivery.repository.js';
import { AppUseRepository } from '../../../../prisma/tenants/usage/app-use.repository.js';
import { removeErasedLinks } from '../../../../prisma/worlds/erased-links.js';
import type { WorkerSettings } from '../../../platform/src/config/settings.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import type { SweepTask } from './sweeper.js';
import { walk } from './walk.js';

const BATCH = 200;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Longer than any wait between two attempts to revoke. */
const REVOCATION_IDLE_MS = 2 * HOUR_MS;
/** Time for which an old token is reported as expired rather than unknown. */
const EXPIRED_TOKENS_KEPT_MS = DAY_MS;
/** Per round, one a minute: more than the busiest operator issues. */
const TOKEN_BATCH = 5_000;
const ERASURE_BATCH = 50;
/** Per round, one a minute: more than the busiest app creates in that time. */
const RETENTION_BATCH = 2_000;
/** A million rows in ten rounds. */
const ERASED_LINK_BATCHES = 50;
/** Most are removed with the next call of their permission; these no longer belong to one. */
const QUOTA_BATCH = 10_000;
/** Counted from their receipt, whatever their outcome: until then an equal one is not read again. */
const PROVIDER_WEBHOOKS_KEPT_MS = 7 * DAY_MS;
/** The use of apps on earlier days no longer counts toward a bound. */
const USE_KEPT_MS = 7 * DAY_MS;
/** Per round: 400,000 accounts with holdings take some three hours, in which few have a day that is due. */
const THINNED = { accounts: 2_000, days: 40 };
const SECURITY_BATCH = 5_000;
const SANDBOX_REQUESTS_KEPT_MS = HOUR_MS;
/** plaid-compat 8.1: counted from the last attempt. */
const WEBHOOK_TOKENS_KEPT_MS = DAY_MS;
/** Longer than any bucket of token calls takes to fill. */
const FULL_BUCKETS_KEPT_MS = DAY_MS;

export interface OverdueRows {
  times: Pick<SessionTimeRepository, 'sweepOverdue'>;
  steps: Pick<OverdueStepRepository, 'sweep'>;
  refresh: Pick<RefreshRequestRepository, 'requeueOverdue'>;
  permissions: Pick<EndPermissionRepository, 'requeueOverdue'>;
  revocations: Pick<RevocationRepository, 'sweep'>;
  deliveries: Pick<WebhookDeliveryRepository, 'requeueOverdue'>;
  providerWebhooks: Pick<ProviderWebhookRepository, 'requeueOverdue'>;
  tokens: Pick<AccessTokenRepository, 'removeExpired'>;
  /** Delay after which the sweeper acts on a row. Milliseconds. */
  overdueMs: number;
}

/** Rows whose workflow did not act on their deadline. */
export function overdueTasks({
  times,
  steps,
  refresh,
  permissions,
  revocations,
  deliveries,
  providerWebhooks,
  tokens,
  overdueMs,
}: OverdueRows): SweepTask[] {
  return table({
    sessions: (now) => times.sweepOverdue(before(now, overdueMs), BATCH),
    steps: (now) => steps.sweep(before(now, overdueMs), BATCH),
    refreshes: (now) => refresh.requeueOverdue(now, overdueMs),
    permissions: (now) => permissions.requeueOverdue(before(now, overdueMs), BATCH),
    revocations: (now) =>
      revocations.sweep(now, { olderThanMs: overdueMs, idleMs: REVOCATION_IDLE_MS, limit: BATCH }),
    deliveries: (now) => deliveries.requeueOverdue(now, overdueMs),
    provider_webhooks_to_read: (now) =>
      providerWebhooks.requeueOverdue(before(now, overdueMs), BATCH),
    access_tokens: (now) => tokens.removeExpired(before(now, EXPIRED_TOKENS_KEPT_MS), TOKEN_BATCH),
  });
}

export interface RetainedRows {
  ctx: Context;
  settings: WorkerSettings;
  logger: Logger;
  erasures: Pick<UserErasureRepository, 'sweep'>;
  rotations: Pick<KeyRotationRepository, 'eraseRetired'>;
  sandboxRequests: Pick<SandboxRequestRepository, 'sweep'>;
  quotas: Pick<QuotaRepository, 'removeEnded'>;
  providerWebhooks: Pick<ProviderWebhookRepository, 'removeOld'>;
}

/** Notices that are due, and rows that have been kept long enough. */
export function retentionTasks({
  ctx,
  settings,
  logger,
  erasures,
  rotations,
  sandboxRequests,
  quotas,
  providerWebhooks,
}: RetainedRows): SweepTask[] {
  return table({
    end_notices: (now) => announceDueEnds(ctx, now, BATCH),
    unrevoked_permissions: (now) =>
      reportUnrevoked(ctx, now, (permission) => logger.warn(permission, 'permission.not_revoked')),
    user_erasures: (now) => erasures.sweep(before(now, settings.overdueAfter), ERASURE_BATCH),
    purge: (now) => purgeLinks(ctx, now, { limit: BATCH }),
    erased_links: () => removeErasedLinks(ctx, { batches: ERASED_LINK_BATCHES }),
    old_sessions: (now) =>
      removeOldSessions(ctx, before(now, settings.sessionRetention), RETENTION_BATCH),
    unused_users: (now) => removeUnusedUsers(ctx, now, settings.userRetention, RETENTION_BATCH),
    holding_days: walk((now, after) =>
      thinHoldingDays(ctx, now, settings.holdingDaysRetention, { after, ...THINNED }),
    ),
    unused_securities: walk((_, after) =>
      removeUnusedSecurities(ctx, { after, limit: SECURITY_BATCH }),
    ),
    webhook_events: (now) => removeOldEvents(ctx, before(now, settings.webhookEventRetention)),
    webhook_listeners: (now) => new WebhookListenerRepository(ctx).removeEnded(now),
    signing_keys: (now) => rotations.eraseRetired(now),
    sandbox_requests: (now) => sandboxRequests.sweep(before(now, SANDBOX_REQUESTS_KEPT_MS), BATCH),
    plaid_tokens: (now) => forgetPlaidTokens(ctx, now),
    webhook_tokens: (now) => eraseEventTokens(ctx, before(now, WEBHOOK_TOKENS_KEPT_MS)),
    idempotency: (now) => removeExpiredUses(ctx, now),
    app_use: (now) => new AppUseRepository(ctx).removeOld(before(now, USE_KEPT_MS)),
    quota_windows: (now) => quotas.removeEnded(now, QUOTA_BATCH),
    provider_webhooks: (now) =>
      providerWebhooks.removeOld(before(now, PROVIDER_WEBHOOKS_KEPT_MS), RETENTION_BATCH),
    token_calls: (now) => removeFullBuckets(ctx, now, FULL_BUCKETS_KEPT_MS),
  });
}

function table(tasks: Readonly<Record<string, SweepTask['sweep']>>): SweepTask[] {
  return Object.entries(tasks).map(([name, sweep]) => ({ name, sweep }));
}

function before(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms);
}
