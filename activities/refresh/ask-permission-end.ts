import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import type { Provider, ProviderAccess } from '../../providers/provider.js';

/**
 * When the source ends the permission by itself; null = at no known time, undefined = it does not say now. That is no reason
 * to fail what is under way: whatever is known of it stays.
 */
export async function askPermissionEnd(
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
