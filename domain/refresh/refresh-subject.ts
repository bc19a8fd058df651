import type { Environment } from '../api/environment.js';
import type { Product } from '../link/products.js';

/** What operators search a refresh by. */
export interface RefreshSubject {
  appId: string;
  environment: Environment;
  institutionId: string;
  provider: string;
  /** Those that its run fetches. */
  products: Product[];
}
