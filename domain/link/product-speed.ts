import type { Product } from './products.js';

/**
 * The speed at which a product changes at a bank, which limits how often it may be requested.
 * Sources: link-lifecycle 7.4, native-api 8.
 */
export const PRODUCT_SPEEDS = {
  accounts: 'fast',
  transactions: 'fast',
  identity: 'slow',
  account_numbers: 'slow',
  investments: 'fast',
  liabilities: 'fast',
} as const satisfies Record<Product, string>;
export type ProductSpeed = (typeof PRODUCT_SPEEDS)[Product];
