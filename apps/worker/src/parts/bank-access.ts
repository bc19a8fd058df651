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
  institutions: InstitutionRepository;
}

export function createBankAccess(ctx: Context, settings: WorkerSettings): BankAccess {
  return {
    ctx,
    settings,
    providers: createProviderRegistry(createProviders(settings)),
    institutions: new InstitutionRepository(ctx),
  };
}
