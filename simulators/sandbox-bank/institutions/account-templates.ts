import type { ProductCode } from './product-codes.js';

/**
 * An account of a customer: one of the bank's own kinds, or one of `user_custom`. Money is an exact
 * decimal in a string.
 */
export interface AccountTemplate {
  key: string;
  product: ProductCode;
  displayName: string;
  numberLast4: string;
  currency: string;
  available: string | null;
  current: string | null;
  creditLimit: string | null;
  /** Null where money cannot be sent to the account. */
  number: { accountNumber: string; routingNumber: string } | null;
  /** Everyday payments leave from this account. */
  spending: boolean;
  /** Wages arrive in this account. */
  receivesWages: boolean;
}

export const ROUTING_NUMBER = '999000014';

/** Source of the three: link-lifecycle 13.2. */
export const EVERYDAY_CHECKING: AccountTemplate = {
  key: 'everyday-checking',
  product: 'CHECKING',
  displayName: 'Everyday Checking',
  numberLast4: '1101',
  currency: 'USD',
  available: '2210.52',
  current: '2350.00',
  creditLimit: null,
  number: { accountNumber: '100020001101', routingNumber: ROUTING_NUMBER },
  spending: true,
  receivesWages: true,
};

export const RAINY_DAY_SAVINGS: AccountTemplate = {
  key: 'rainy-day-savings',
  product: 'SAVINGS',
  displayName: 'Rainy Day Savings',
  numberLast4: '2202',
  currency: 'USD',
  available: '8400.00',
  current: '8400.00',
  creditLimit: null,
  number: { accountNumber: '100020002202', routingNumber: ROUTING_NUMBER },
  spending: false,
  receivesWages: false,
};

export const REWARDS_CARD: AccountTemplate = {
  key: 'rewards-card',
  product: 'CREDIT_CARD',
  displayName: 'Rewards Card',
  numberLast4: '3303',
  currency: 'USD',
  available: '4587.63',
  current: '412.37',
  creditLimit: '5000.00',
  number: null,
  spending: true,
  receivesWages: false,
};
