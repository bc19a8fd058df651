import type { LinkAccessDeps } from '../../../../activities/link-access.js';
import { observeProviders, type ObserveCall } from '../../../../activities/observed-providers.js';
import type { ObserveFaults } from '../../../../activities/source-faults.js';
import { RouteHealthRecorder } from '../../../../activities/route-health-recorder.js';
import { RouteHealthRepository } from '../../../../prisma/sources/routing/route-health.repository.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import type { Context } from '../../../../prisma/base/context.js';
import { SessionLocks } from '../../../../prisma/base/database/session-locks.js';
import { InstitutionRepository } from '../../../../prisma/sources/institutions/institution.repository.js';
import { CredentialRenewals } from '../../../../prisma/sources/permissions/credential-renewals.js';
import { QuotaRepository } from '../../../../prisma/sources/quotas/quota.repository.js';
import {
  createProviderRegistry,
  createProviders,
  type ChangingRegistry,
} from '../../../../providers/registry.js';
import type { WorkerSettings } from '../../../platform/src/config/settings.js';

/** Shared dependencies of the subjects that reach banks. */
export interface BankAccess extends LinkAccessDeps {
  ctx: Context;
  settings: WorkerSettings;
  /** The built-in sandbox and the enabled configurations. */
  providers: ChangingRegistry;
  /** Outcomes of the calls through each route. */
  health: RouteHealthRecorder;
  institutions: InstitutionRepository;
  quotas: QuotaRepository;
  /** Locks of renewals in progress; closed with the process. */
  locks: SessionLocks;
  /** Receives the unreadable values of adapters. */
  observeFaults: ObserveFaults;
}

const COLLECT_CALLS_MS = 2_000;

export function createBankAccess(
  ctx: Context,
  settings: WorkerSettings,
  logger: Logger,
  observe: { call: ObserveCall; unreadable: ObserveFaults },
): BankAccess {
  const locks = new SessionLocks(ctx.database.pool);
  const health = new RouteHealthRecorder({
    routes: new RouteHealthRepository(ctx),
    collectMs: COLLECT_CALLS_MS,
    onError: (err) => logger.warn({ err }, 'routes.health_not_stored'),
  });
  const builtIn = createProviders(settings);
  // Faults of the sandbox belong to one world and do not concern the route.
  const sandboxes = new Set(builtIn.map(({ name }) => name));
  return {
    locks,
    renewals: new CredentialRenewals(ctx, locks),
    quotas: new QuotaRepository(ctx),
    ctx,
    settings,
    health,
    providers: observeProviders(createProviderRegistry(builtIn), (call) => {
      observe.call(call);
      if (!sandboxes.has(call.provider)) health.note(call);
    }),
    institutions: new InstitutionRepository(ctx),
    observeFaults(answer) {
      observe.unreadable(answer);
      const { linkId: link_id, ...what } = answer;
      // Log: the unreadable values of one fetch, login or list of institutions, by resource, field and reason.
      logger.warn({ link_id, ...what }, 'source.unreadable');
    },
  };
}
