import type { Environment } from '../api/environment.js';
import type { Product } from '../link/products.js';

/** The facts by which operators search for a refresh. */
export interface RefreshSubject {
  appId: string;
  environment: Environment;
  institutionId: string;
  provider: string;
  /** The products that its run fetches. */
  products: Product[];
}
