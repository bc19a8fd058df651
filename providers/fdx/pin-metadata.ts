import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import { discover, type DiscoveryParts } from './client/discovery.js';
import type { FdxInstitution } from './settings.js';

const AT_ONCE = 8;
/** A silent bank must not prevent the others from being pinned within the time of a check. */
const SILENCE_MS = 10_000;

/**
 * Fills in the metadata of institutions that have none, so that later discovery responses cannot
 * change an address unnoticed. A bank that does not respond, or returns the metadata of another
 * issuer, stays without; the check names the reason.
 * @returns the institutions, if any of them changed
 */
export async function pinMetadata(
  parts: DiscoveryParts,
  institutions: readonly FdxInstitution[],
  signal: AbortSignal,
): Promise<{ institutions?: readonly FdxInstitution[] }> {
  const pinned: FdxInstitution[] = [];
  for (let at = 0; at < institutions.length; at += AT_ONCE) {
    const group = institutions.slice(at, at + AT_ONCE);
    pinned.push(...(await Promise.all(group.map((bank) => pinOne(parts, bank, signal)))));
  }
  return pinned.some(({ metadata }, at) => metadata !== institutions[at]?.metadata)
    ? { institutions: pinned }
    : {};
}

async function pinOne(
  parts: DiscoveryParts,
  institution: FdxInstitution,
  signal: AbortSignal,
): Promise<FdxInstitution> {
  if (institution.metadata !== null) return institution;
  const silence = AbortSignal.timeout(SILENCE_MS);
  try {
    const within = AbortSignal.any([signal, silence]);
    const { metadata } = await discover(parts, institution, within);
    return { ...institution, metadata };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProviderFailure || silence.aborted) return institution;
    throw error;
  }
}
