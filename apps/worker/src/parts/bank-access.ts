import { observeProvider } from '../../../../activities/observe-provider.js';
import { RouteHealthRecorder } from '../../../../activities/route-health-recorder.js';
import { RouteHealthRepository } from '../../../../prisma/routing/route-health.repository.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import type { Context } from '../../../../prisma/context.js';
import { InstitutionRepository } from '../../../../prisma/institutions/institution.repository.js';
import {
  createProviderRegistry,
  createProviders,
  type ChangingRegistry,
} from '../../../../providers/registry.js';
import type { WorkerSettings } from '../../../platform/src/config/settings.js';

/** What every subject that reaches banks needs. */
export interface BankAccess {
  ctx: Context;
  settings: WorkerSettings;
  /** The built-in sandbox and the enabled configurations. */
  providers: ChangingRegistry;
  /** How calls through each route went. */
  health: RouteHealthRecorder;
  institutions: InstitutionRepository;
}

const COLLECT_CALLS_MS = 2_000;

export function createBankAccess(
  ctx: Context,
  settings: WorkerSettings,
  logger: Logger,
): BankAccess {
  const health = new RouteHealthRecorder({
    routes: new RouteHealthRepository(ctx),
    collectMs: COLLECT_CALLS_MS,
    onError: (err) => logger.warn({ err }, 'routes.health_not_stored'),
  });
  return {
    ctx,
    settings,
    health,
    providers: createProviderRegistry(
      createProviders(settings).map((provider) =>
        // Faults of the sandbox belong to one world and say nothing of the route.
        provider.sandbox === undefined ? observeProvider(provider, health.note) : provider,
      ),
    ),
    institutions: new InstitutionRepository(ctx),
  };
}
