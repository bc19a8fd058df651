import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import type { Provider, ProviderAccess } from '../../providers/contract/provider.js';

/**
 * When the source will end the permission by itself: null = no known time, undefined = not
 * available right now, which must not fail the work in progress and leaves the stored time as it
 * is.
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
