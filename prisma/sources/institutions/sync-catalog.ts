import {
  offeredEntry,
  type OfferedInstitution,
} from '../../../domain/institutions/offered-institution.js';
import { storeCatalog } from '../catalog/store-catalog.js';
import type { Context } from '../../base/context.js';

/** Syncs the stored catalog of one provider with the provider's current offer. Idempotent. */
export async function syncCatalog(
  ctx: Context,
  provider: string,
  institutions: readonly OfferedInstitution[],
): Promise<void> {
  await storeCatalog(ctx, {
    provider,
    environment: 'live',
    givenEnvironments: new Map(
      institutions.map(({ institutionId, environment }) => [institutionId, environment]),
    ),
    entries: institutions.map(offeredEntry),
    refuseLosses: false,
  });
}
