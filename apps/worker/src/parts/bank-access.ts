import type { LinkAccessDeps } from '../../../../activities/link-access.js';
import { observeProviders, type ObserveCall } from '../../../../activities/observed-providers.js';
import type { Context } from '../../../../prisma/context.js';
import { SessionLocks } from '../../../../prisma/database/session-locks.js';
import { InstitutionRepository } from '../../../../prisma/institutions/institution.repository.js';
import { CredentialRenewals } from '../../../../prisma/permissions/credential-renewals.js';
import { QuotaRepository } from '../../../../prisma/quotas/quota.repository.js';
import {
  createProviderRegistry,
  createProviders,
  type ChangingRegistry,
} from '../../../../providers/registry.js';
import type { WorkerSettings } from '../../../platform/src/config/settings.js';

/** What every subject that reaches banks needs. */
export interface BankAccess extends LinkAccessDeps {
  ctx: Context;
  settings: WorkerSettings;
  /** The built-in sandbox and the enabled configurations. */
  providers: ChangingRegistry;
  institutions: InstitutionRepository;
  quotas: QuotaRepository;
  /** Of renewals in progress; closed with the process. */
  locks: SessionLocks;
}

export function createBankAccess(
  ctx: Context,
  settings: WorkerSettings,
  observe: ObserveCall,
): BankAccess {
  const locks = new SessionLocks(ctx.database.pool);
  return {
    locks,
    renewals: new CredentialRenewals(ctx, locks),
    quotas: new QuotaRepository(ctx),
    ctx,
    settings,
    providers: observeProviders(createProviderRegistry(createProviders(settings)), observe),
    institutions: new InstitutionRepository(ctx),
  };
}
