import type { ProviderCause } from '../../domain/errors/provider-failure.js';
import type { Product } from '../../domain/link/products.js';

/** The outcome of one product of a run, once it is settled. */
export interface ObservedRefresh {
  provider: string;
  product: Product;
  /** `quota_used_up`: the quota counted here has no calls left. */
  outcome: 'completed' | 'quota_used_up' | ProviderCause;
  /** Set only for failures. */
  institutionId?: string;
}

export type ObserveRefresh = (refresh: ObservedRefresh) => void;
