import type { ProviderCause } from '../errors/provider-failure.js';
import type { Product } from '../link/products.js';

/**
 * What a webhook means. `isVerified`: its signature was checked. The core lets only verified ones
 * change a link's state; of others, every effect on a permission becomes a refresh.
 */
export interface WebhookMeaning {
  isVerified: boolean;
  effects: readonly WebhookEffect[];
  /** Why nothing follows from it, if it is forged, stale or unreadable; it then has no effects. */
  refusal: 'signature' | 'stale' | 'malformed' | null;
}

/** `reference` is that of the permission (`LinkedOutcome.reference`). */
export type WebhookEffect =
  | { kind: 'refresh'; reference: string; products: readonly Product[] }
  | { kind: 'lost'; reference: string; cause: ProviderCause }
  | { kind: 'recovered'; reference: string }
  | { kind: 'ends'; reference: string; at: Date }
  | { kind: 'institution'; remoteId: string; health: 'operational' | 'degraded' | 'down' };
