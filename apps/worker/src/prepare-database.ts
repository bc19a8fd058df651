import type { Context } from '../../../prisma/base/context.js';
import { CursorKeys } from '../../../prisma/base/keys/cursor-key.repository.js';
import { SigningKeys } from '../../../prisma/base/keys/signing-key.repository.js';
import { SANDBOX_PROVIDER } from '../../../domain/link/provider-name.js';
import type { WorkerSettings } from '../../platform/src/config/settings.js';
import type { WorkerParts } from './parts/worker-parts.js';

/** Stores the data that linking needs: keys, and the institutions known without a request to a source. */
export async function prepareDatabase(
  ctx: Context,
  { sandboxBankUrl }: Pick<WorkerSettings, 'sandboxBankUrl'>,
  { banks: { institutions, providers } }: Pick<WorkerParts, 'banks'>,
): Promise<void> {
  await Promise.all([new SigningKeys(ctx).ensure(), new CursorKeys(ctx).ensure()]);
  for (const provider of providers.all())
    if (provider.listInstitutions === undefined)
      await institutions.syncCatalog(provider.name, provider.institutions());
  // Institutions of an earlier start are no longer offered.
  if (sandboxBankUrl === undefined) await institutions.syncCatalog(SANDBOX_PROVIDER, []);
}
