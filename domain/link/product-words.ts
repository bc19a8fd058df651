import { PRODUCTS, type Product } from './products.js';

/** Products as they stand in a sentence. */
const PRODUCT_WORDS: Readonly<Record<Product, string>> = {
  accounts: 'accounts',
  account_numbers: 'account numbers',
  identity: 'identity',
  transactions: 'transactions',
  investments: 'investments',
  liabilities: 'liabilities',
};

/** The words of a product that a row names; an unknown one keeps its name. */
export function productWords(name: string): string {
  const product = PRODUCTS.find((known) => known === name);
  return product === undefined ? name : PRODUCT_WORDS[product];
}
