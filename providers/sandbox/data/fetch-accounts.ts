import type { AccountIdentifiers } from '../../../domain/accounts/account-identifiers.js';
import type { AccountType } from '../../../domain/accounts/account-types.js';
import type { AccountListing, ProviderAccess, ProviderAccount } from '../../provider.js';
import type { BankClient } from '../client/bank-client.js';
import { callConnection } from '../client/connection-call.js';
import { malformed, RemoteObject } from '../../http/remote-object.js';

/** Per connection. */
export const MAX_ACCOUNTS = 200;
/** Owner names per account. */
const MAX_HOLDERS = 1_000;

/** The bank's products and their account types; any other product is `unknown`. */
const ACCOUNT_TYPE_OF: Readonly<Record<string, AccountType>> = {
  CHECKING: 'depository.checking',
  SAVINGS: 'depository.savings',
  CASH_ACCOUNT: 'depository.cash',
  PREPAID_CARD: 'depository.prepaid',
  MONEY_MARKET: 'depository.money_market',
  TIME_DEPOSIT: 'depository.cd',
  OTHER_DEPOSIT: 'depository.other',
  BROKERAGE: 'investment.brokerage',
  RETIREMENT: 'investment.retirement',
  EDUCATION_SAVINGS: 'investment.education',
  OTHER_INVESTMENT: 'investment.other',
  CREDIT_CARD: 'liability.credit_card',
  LOAN: 'liability.loan',
  MORTGAGE: 'liability.mortgage',
  STUDENT_LOAN: 'liability.student_loan',
  LINE_OF_CREDIT: 'liability.line_of_credit',
  OTHER_CREDIT: 'liability.other',
  OTHER: 'other.other',
};

export async function fetchAccounts(
  callBank: BankClient,
  access: ProviderAccess,
): Promise<AccountListing> {
  const extras = allowedExtras(access);
  const response = await callConnection(callBank, access, {
    part: 'accounts',
    ...(extras.length === 0 ? {} : { query: { with: extras.join(',') } }),
  });
  const accounts = new RemoteObject(response, 'response')
    .list('accounts', MAX_ACCOUNTS)
    .map((account) => toAccount(account, extras));
  if (new Set(accounts.map((account) => account.providerAccountId)).size !== accounts.length) {
    throw malformed('an account id occurs twice');
  }
  return { accounts, unreported: [] };
}

/** Identifying data the bank can add to its account list, by the product it belongs to. */
const EXTRA_OF = { account_numbers: 'numbers', identity: 'holders' } as const;
type Extra = (typeof EXTRA_OF)[keyof typeof EXTRA_OF];

function allowedExtras({ products = [] }: Pick<ProviderAccess, 'products'>): Extra[] {
  return (['account_numbers', 'identity'] as const)
    .filter((product) => products.includes(product))
    .map((product) => EXTRA_OF[product]);
}

export function toAccount(remote: unknown, extras: readonly Extra[] = []): ProviderAccount {
  const account = new RemoteObject(remote, 'account');
  const balances = account.object('balances');
  const product = account.text('product', { max: 40 });
  return {
    providerAccountId: account.text('account_id', { max: 100 }),
    accountType:
      (Object.hasOwn(ACCOUNT_TYPE_OF, product) ? ACCOUNT_TYPE_OF[product] : undefined) ?? 'unknown',
    name: account.text('display_name', { max: 200 }),
    mask: account.textOrNull('number_last4', { max: 4, pattern: /^\w{1,4}$/ }),
    currency: account.text('currency', { max: 3, pattern: /^[A-Z]{3}$/ }),
    available: balances.decimalOrNull('available'),
    current: balances.decimalOrNull('current'),
    limit: balances.decimalOrNull('credit_limit'),
    balanceDate: balances.timestamp('as_of'),
    ...(extras.length === 0 ? {} : { identifiers: toIdentifiers(account, extras) }),
  };
}

function toIdentifiers(account: RemoteObject, extras: readonly Extra[]): AccountIdentifiers {
  return {
    number: extras.includes('numbers')
      ? account.textOrNull('account_number', { max: 40, pattern: /^[\w -]+$/ })
      : null,
    owners: extras.includes('holders')
      ? account.textList('holder_names', { count: MAX_HOLDERS, max: 200 })
      : [],
  };
}
