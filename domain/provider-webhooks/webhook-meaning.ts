import type { ProviderCause } from '../errors/provider-failure.js';
import type { Product } from '../link/products.js';

/**
 * The meaning of a webhook. `isVerified`: its signature was checked. The core lets only verified
 * ones change a link's state; every other effect on a permission becomes a refresh.
 */
export interface WebhookMeaning {
  isVerified: boolean;
  effects: readonly WebhookEffect[];
  /** The reason that it has no effects: it is forged, stale or unreadable. */
  refusal: 'signature' | 'stale' | 'malformed' | null;
}

/** `reference` is that of the permission (`LinkedOutcome.reference`). */
export type WebhookEffect =
  | { kind: 'refresh'; reference: string; products: readonly Product[] }
  | { kind: 'lost'; reference: string; cause: ProviderCause }
  | { kind: 'recovered'; reference: string }
  | { kind: 'ends'; reference: string; at: Date }
  | { kind: 'institution'; remoteId: string; health: 'operational' | 'degraded' | 'down' };
