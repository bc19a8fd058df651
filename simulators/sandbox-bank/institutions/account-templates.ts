import type { DataArea } from './data-areas.js';
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
  /** The account is shown only to a permission that covers this area; null = to every one. */
  area: DataArea | null;
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
  area: null,
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
  area: null,
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
  area: null,
};

const NO_PAYMENTS = {
  available: null,
  current: null,
  creditLimit: null,
  number: null,
  spending: false,
  receivesWages: false,
} as const;

/** link-lifecycle 13.2: accounts of a permission that covers investments; positions are their balance. */
const INVESTMENT_ACCOUNTS: readonly AccountTemplate[] = [
  {
    ...NO_PAYMENTS,
    key: 'brokerage',
    product: 'BROKERAGE',
    displayName: 'Brokerage',
    numberLast4: '4404',
    currency: 'USD',
    area: 'investments',
  },
  {
    ...NO_PAYMENTS,
    key: 'retirement-401k',
    product: 'RETIREMENT',
    displayName: 'Retirement 401(k)',
    numberLast4: '5505',
    currency: 'USD',
    area: 'investments',
  },
  {
    ...NO_PAYMENTS,
    key: 'global-trading',
    product: 'BROKERAGE',
    displayName: 'Global Trading',
    numberLast4: '6606',
    currency: 'GBP',
    area: 'investments',
  },
];

/** link-lifecycle 13.2: accounts of a permission that covers liabilities; installments reduce their balance. */
const LOAN_ACCOUNTS: readonly AccountTemplate[] = [
  {
    ...NO_PAYMENTS,
    key: 'home-mortgage',
    product: 'MORTGAGE',
    displayName: 'Home Mortgage',
    numberLast4: '7707',
    currency: 'USD',
    area: 'liabilities',
  },
  {
    ...NO_PAYMENTS,
    key: 'student-loan',
    product: 'STUDENT_LOAN',
    displayName: 'Student Loan',
    numberLast4: '8808',
    currency: 'USD',
    area: 'liabilities',
  },
];

export const ACCOUNTS_OF_AREAS: readonly AccountTemplate[] = [
  ...INVESTMENT_ACCOUNTS,
  ...LOAN_ACCOUNTS,
];
