import { Decimal } from 'decimal.js';
import type { FetchedAccount } from '../../../../../domain/refresh/fetched-data.js';
import type { Permission } from '../../../../../domain/session/linking-questions.js';
import { combineRequestedProducts } from '../../../../../domain/link/products.js';

const account = (
  providerAccountId: string,
  accountType = 'depository.checking',
): FetchedAccount => ({
  providerAccountId,
  accountType,
  name: providerAccountId,
  mask: '1101',
  currency: 'USD',
  available: new Decimal('10.50'),
  current: new Decimal('12.25'),
  limit: null,
  balanceDate: null,
});
export const shown = (
  providerAccountId: string,
  { type = 'depository.checking', isPermitted = false } = {},
) => ({ account: account(providerAccountId, type), isPermitted });

export const NEW_LINK: Permission = {
  consent: 'ask',
  accounts: [
    shown('checking'),
    shown('savings', { type: 'depository.savings' }),
    shown('card', { type: 'liability.credit_card' }),
  ],
  limits: { onlyOne: false, onlyDepository: false },
  requested: combineRequestedProducts({
    productsSettings: {
      transactions: { required: true, reason: 'show your spending' },
      identity: {},
      account_numbers: {},
    },
  }),
  supported: ['accounts', 'identity', 'transactions'],
  alreadyGranted: [],
  askAll: false,
};
export const RELINK: Permission = {
  ...NEW_LINK,
  alreadyGranted: ['accounts', 'transactions'],
  accounts: [shown('checking', { isPermitted: true }), shown('savings')],
};
export const DONE: Permission = {
  ...RELINK,
  requested: combineRequestedProducts({}),
  accounts: [shown('checking', { isPermitted: true })],
};
export const ONE = { onlyOne: true, onlyDepository: false };
