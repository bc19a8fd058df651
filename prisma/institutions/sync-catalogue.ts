import {
  offeredEntry,
  type OfferedInstitution,
} from '../../domain/institutions/offered-institution.js';
import { storeCatalogue } from '../catalogue/store-catalogue.js';
import type { Context } from '../context.js';

/** Syncs the stored catalogue of one provider with the provider's current offer. Idempotent. */
export async function syncCatalogue(
  ctx: Context,
  provider: string,
  institutions: readonly OfferedInstitution[],
): Promise<void> {
  await storeCatalogue(ctx, {
    provider,
    environment: 'live',
    givenEnvironments: new Map(
      institutions.map(({ institutionId, environment }) => [institutionId, environment]),
    ),
    entries: institutions.map(offeredEntry),
    refuseLosses: false,
  });
}
