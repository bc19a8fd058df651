import type { Product } from '../../../../../domain/link/products.js';

/** Plaid's names of the native products. Source: plaid-compat 3.2. */
export const PLAID_PRODUCTS = {
  accounts: 'balance',
  account_numbers: 'auth',
  identity: 'identity',
  transactions: 'transactions',
  investments: 'investments',
  liabilities: 'liabilities',
} as const satisfies Record<Product, string>;

export type PlaidProduct = (typeof PLAID_PRODUCTS)[Product];

export function plaidProducts(products: readonly Product[]): PlaidProduct[] {
  return products.map((product) => PLAID_PRODUCTS[product]);
}
