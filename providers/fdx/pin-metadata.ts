import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import { differences, discover, type DiscoveryParts } from './client/discovery.js';
import type { FdxInstitution, FdxPublicSettings } from './settings.js';

/**
 * Fills in the metadata of institutions that have none, so that later answers of discovery change
 * no address unnoticed.
 * @throws ProviderFailure, also for given metadata that differ from what the bank publishes
 */
export async function pinMetadata(
  parts: DiscoveryParts,
  settings: FdxPublicSettings,
  signal: AbortSignal,
): Promise<FdxPublicSettings> {
  const institutions: FdxInstitution[] = [];
  for (const institution of settings.institutions) {
    const { metadata } = await discover(parts, institution, signal);
    const changed = institution.metadata && differences(institution.metadata, metadata);
    if (changed !== null && changed.length > 0)
      throw new ProviderFailure(
        'internal',
        `The metadata of ${institution.remoteId} differ from what the bank publishes: ${changed.join(', ')}.`,
      );
    institutions.push({ ...institution, metadata });
  }
  return { ...settings, institutions };
}
