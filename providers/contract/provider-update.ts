import type { Product } from '../../domain/link/products.js';
import type { ProviderSecret } from './provider.types.js';

export interface UpdateRequest {
  products: readonly Product[];
  /** The whole history is requested, not only recent rows. */
  wholeHistory: boolean;
  cause: 'prefetch' | 'on_demand' | 'scheduled' | 'relink' | 'provider_webhook' | 'history';
  /** The state of the last `pending` outcome; null = the first call of a run. */
  state: ProviderSecret | null;
}

/** `pending` is called again after `askAgainAfterMs`, with its state. */
export type UpdateOutcome =
  | { kind: 'done' }
  | { kind: 'pending'; state: ProviderSecret; askAgainAfterMs: number }
  | { kind: 'skipped'; because: 'fresh_enough' | 'quota' };
