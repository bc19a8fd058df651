import { createAggregationActivities } from '../../../../activities/refresh/aggregation-activities.js';
import {
  createDeletionActivities,
  createRevocationActivities,
} from '../../../../activities/deletion/deletion-activities.js';
import { createErasureActivities } from '../../../../activities/deletion/erasure-activities.js';
import { createFetchActivities } from '../../../../activities/refresh/fetch-activities.js';
import { translateFailures } from '../../../../activities/failures.js';
import { createKeyActivities } from '../../../../activities/keys/key-activities.js';
import { createLinkingActivities } from '../../../../activities/linking/linking-activities.js';
import { createLoginActivities } from '../../../../activities/linking/login-activities.js';
import { createPermissionActivities } from '../../../../activities/sandbox/permission-activities.js';
import { createRefreshActivities } from '../../../../activities/refresh/refresh-activities.js';
import { createSandboxActivities } from '../../../../activities/sandbox/sandbox-activities.js';
import { createWorldActivities } from '../../../../activities/sandbox/world-activities.js';
import type { Context } from '../../../../prisma/context.js';
import { isTemporaryDatabaseFailure } from '../../../../prisma/database/database-failures.js';
import { BankLoginRepository } from '../../../../prisma/linking/bank-login.repository.js';
import { CredentialRepository } from '../../../../prisma/permissions/credential.repository.js';
import { EndPermissionRepository } from '../../../../prisma/permissions/end-permission.repository.js';
import { DueLinkRepository } from '../../../../prisma/refresh/due-link.repository.js';
import { ExtensionRepository } from '../../../../prisma/linking/extension.repository.js';
import { InstitutionRepository } from '../../../../prisma/institutions/institution.repository.js';
import { KeyRotationRepository } from '../../../../prisma/keys/key-rotation.repository.js';
import { LinkSessionRepository } from '../../../../prisma/sessions/link-session.repository.js';
import { LinkingQuestionRepository } from '../../../../prisma/linking/linking-question.repository.js';
import { LoginAttemptRepository } from '../../../../prisma/linking/login-attempt.repository.js';
import { LoginRepository } from '../../../../prisma/linking/login.repository.js';
import { OAuthStateRepository } from '../../../../prisma/sessions/oauth-state.repository.js';
import { RefreshRepository } from '../../../../prisma/refresh/refresh.repository.js';
import { RevocationRepository } from '../../../../prisma/permissions/revocation.repository.js';
import { SandboxLinkRepository } from '../../../../prisma/sandbox/sandbox-link.repository.js';
import { SandboxRequestRepository } from '../../../../prisma/sandbox/sandbox-request.repository.js';
import { SessionTimeRepository } from '../../../../prisma/linking/session-time.repository.js';
import { UserErasureRepository } from '../../../../prisma/users/user-erasure.repository.js';
import { WorldAgendaRepository } from '../../../../prisma/sandbox/world-agenda.repository.js';
import { WorldRunRepository } from '../../../../prisma/sandbox/world-run.repository.js';
import { WorldRepository } from '../../../../prisma/worlds/world.repository.js';
import {
  createProviderRegistry,
  createProviders,
  type ProviderRegistry,
} from '../../../../providers/registry.js';
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
import type { QueueWorker } from '../temporal/temporal-workers.js';
import { createWebhookParts, type WebhookParts } from './webhook-parts.js';

export interface WorkerParts {
  providers: ProviderRegistry;
  institutions: InstitutionRepository;
  times: SessionTimeRepository;
  refresh: RefreshRepository;
  permissions: EndPermissionRepository;
  revocations: RevocationRepository;
  erasures: UserErasureRepository;
  sandboxRequests: SandboxRequestRepository;
  keyRotations: KeyRotationRepository;
  webhooks: WebhookParts;
  /** Which activities are worked off where; `links` and `links-sandbox` need the workflows too. */
  queues: QueueWorker[];
}

/** The pool of connections and the processor are Live's too: Sandbox takes a part of them, however much it has to do. */
const SANDBOX_LINKS = {
  maxConcurrentWorkflowTaskExecutions: 10,
  maxConcurrentLocalActivityExecutions: 10,
  maxCachedWorkflows: 250,
};
const WORLDS_AT_ONCE = 10;

/** Joins repositories, providers and activities. */
export function createWorkerParts(
  ctx: Context,
  settings: WorkerSettings,
  logger: Logger,
): WorkerParts {
  const providers = createProviderRegistry(createProviders(settings));
  const institutions = new InstitutionRepository(ctx);
  const sessions = new LinkSessionRepository(ctx, {
    unopenedMs: settings.linkSessionTtl,
    idleMs: settings.connectIdle,
    totalMs: settings.connectTotal,
  });
  const times = new SessionTimeRepository(ctx);
  const linking = {
    times,
    logins: new LoginRepository(ctx),
    extensions: new ExtensionRepository(ctx),
    bankLogins: new BankLoginRepository(ctx),
    attempts: new LoginAttemptRepository(ctx),
    questions: new LinkingQuestionRepository(ctx, { exchangeWindowMs: settings.exchangeWindow }),
  };
  const ways = new OAuthStateRepository(ctx, { ttlMs: settings.oauthTtl });
  const schedule = {
    intervals: { fast: settings.refreshInterval, slow: settings.refreshIntervalSlow },
    jitter: settings.refreshJitter,
  };
  const refresh = new RefreshRepository(ctx, {
    faultyAfter: settings.faultyAfter,
    schedule,
    chance: Math.random,
  });
  const due = new DueLinkRepository(ctx, {
    ...schedule,
    spreadMs: settings.aggregationTick,
    chance: Math.random,
  });
  const permissions = new EndPermissionRepository(ctx);
  const revocations = new RevocationRepository(ctx);
  const erasures = new UserErasureRepository(ctx);
  const requests = new SandboxRequestRepository(ctx);
  const sandbox = {
    requests,
    worlds: new WorldRepository(ctx),
    agenda: new WorldAgendaRepository(ctx, schedule),
    sandboxLinks: new SandboxLinkRepository(ctx),
    random: ctx.random,
  };
  // In a world nothing is left to chance: the same calls give the same times.
  const runs = new WorldRunRepository(ctx, {
    faultyAfter: settings.faultyAfter,
    schedule,
    chance: () => 0.5,
  });
  const keyRotations = new KeyRotationRepository(ctx);
  const webhooks = createWebhookParts({ ctx, settings, logger, chance: Math.random });

  const translation = {
    report: (activity: string, err: unknown) => logger.warn({ activity, err }, 'activity.failed'),
    isTemporary: isTemporaryDatabaseFailure,
  };
  const callbackAddress = `${settings.baseUrl}/connect/oauth/callback`;
  const deps = {
    sessions,
    ...linking,
    credentials: new CredentialRepository(ctx),
    ways,
    institutions,
    providers,
    refresh,
    due,
    permissions,
    revocations,
    erasures,
    rotations: keyRotations,
    callbackAddress,
    now: ctx.clock,
    ...sandbox,
  };
  const { endPermission, forgetEndOfPermission } = createPermissionActivities(deps);
  const atTheDatabase = {
    ...createLinkingActivities(deps),
    ...createRefreshActivities(deps),
    ...createAggregationActivities(deps),
    ...createDeletionActivities(deps),
    ...createErasureActivities(deps),
    ...createKeyActivities(deps),
    forgetEndOfPermission,
    ...webhooks.activities,
  };
  const links = {
    activities: translateFailures(atTheDatabase, translation),
    enableNonLocalActivities: false,
  };
  const sandboxActivities = {
    activities: translateFailures(
      { ...createSandboxActivities(deps), ...createWorldActivities({ ...deps, runs }) },
      translation,
    ),
  };
  const deliveries = {
    activities: translateFailures(webhooks.activities, translation),
    maxConcurrentActivityTaskExecutions: 2 * settings.webhookAttemptsPerApp,
  };
  const atTheBank = {
    ...createLoginActivities(deps),
    ...createFetchActivities(deps),
    ...createRevocationActivities(deps),
    endPermission,
  };
  return {
    providers,
    institutions,
    times,
    refresh,
    permissions,
    revocations,
    erasures,
    sandboxRequests: requests,
    keyRotations,
    webhooks,
    queues: [
      { taskQueue: LINKS_QUEUE, ...links },
      { taskQueue: SANDBOX_LINKS_QUEUE, ...links, ...SANDBOX_LINKS },
      { taskQueue: SANDBOX_QUEUE, ...sandboxActivities },
      {
        taskQueue: WORLDS_QUEUE,
        ...sandboxActivities,
        maxConcurrentActivityTaskExecutions: WORLDS_AT_ONCE,
      },
      { taskQueue: WEBHOOKS_QUEUE, ...deliveries },
      { taskQueue: SANDBOX_WEBHOOKS_QUEUE, ...deliveries },
      ...providers.all().map(({ name, facts }) => ({
        taskQueue: providerQueue(name),
        activities: translateFailures(atTheBank, translation),
        ...(facts.requestsPerSecond === null
          ? {}
          : { maxTaskQueueActivitiesPerSecond: facts.requestsPerSecond }),
      })),
    ],
  };
}
