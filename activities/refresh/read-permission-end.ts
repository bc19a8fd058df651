import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import type { Provider, ProviderAccess } from '../../providers/contract/provider.js';

/**
 * The time at which the source itself will end the permission: null = no known time, undefined =
 * currently unavailable, which must not fail the work in progress and leaves the stored time
 * unchanged.
 */
export async function readPermissionEnd(
  provider: Provider,
  access: ProviderAccess,
): Promise<Date | null | undefined> {
  try {
    return await provider.fetchPermissionEnd?.(access);
  } catch (error) {
    access.signal.throwIfAborted();
    if (error instanceof ProviderFailure) return undefined;
    throw error;
  }
}
