import type { ProviderCause } from '../../domain/errors/provider-failure.js';
import type { Product } from '../../domain/link/products.js';

/** What became of one product of a run, once it is settled. */
export interface ObservedRefresh {
  provider: string;
  product: Product;
  /** `quota_used_up`: our own count left no call. */
  outcome: 'completed' | 'quota_used_up' | ProviderCause;
  /** Only of failures. */
  institutionId?: string;
}

export type ObserveRefresh = (refresh: ObservedRefresh) => void;
