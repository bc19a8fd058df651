import {
  combineRequestedProducts,
  DEFAULT_PRODUCT_SETTINGS,
} from '../../../../domain/link/products.js';

describe('Combining requested products (link-lifecycle 2.2)', () => {
  it('requests only accounts when nothing is requested', () => {
    expect(combineRequestedProducts({})).toEqual({ accounts: DEFAULT_PRODUCT_SETTINGS });
  });

  it('merges the names of the list and of the settings', () => {
    expect(
      Object.keys(
        combineRequestedProducts({
          products: ['transactions'],
          productsSettings: { identity: { prefetch: true } },
        }),
      ),
    ).toEqual(['accounts', 'identity', 'transactions']);
  });

  it('prefers the object form over defaults and products_settings over both', () => {
    const { transactions } = combineRequestedProducts({
      products: { transactions: { prefetch: true, required: true } },
      productsSettings: { transactions: { required: false, extend_history: true } },
    });
    expect(transactions).toEqual({
      ...DEFAULT_PRODUCT_SETTINGS,
      prefetch: true,
      required: false,
      extend_history: true,
    });
  });

  it('ignores settings given for accounts', () => {
    expect(
      combineRequestedProducts({
        products: { accounts: { required: true } },
        productsSettings: { accounts: { prefetch: true } },
      }).accounts,
    ).toEqual(DEFAULT_PRODUCT_SETTINGS);
  });
});
