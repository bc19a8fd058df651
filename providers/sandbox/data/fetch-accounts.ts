import type { AccountIdentifiers } from '../../../domain/accounts/account-identifiers.js';
import type { AccountFacts } from '../../../domain/accounts/account-facts.js';
import type { AccountType } from '../../../domain/accounts/account-types.js';
import { settleType } from '../../../domain/accounts/settle-type.js';
import type { AccountListing, ProviderAccess, ProviderAccount } from '../../contract/provider.js';
import type { BankClient } from '../client/bank-client.js';
import { callConnection } from '../client/connection-call.js';
import { readEach, readPart, Unreadable } from '../../http/read-scope.js';
import { RemoteObject } from '../../http/remote-object.js';

/** Per connection. */
export const MAX_ACCOUNTS = 200;
const MAX_NAME = 200;
/** Owner names per account. */
const MAX_HOLDERS = 1_000;

/** The bank's products and their account types; any other product states none. */
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
  const { note } = access;
  const listed = new RemoteObject(response, 'response').list('accounts', MAX_ACCOUNTS);
  const seen = new Set<string>();
  const accounts = readEach(listed, { scope: 'account', account: null, note }, (remote) => {
    const id = new RemoteObject(remote, 'account').text('account_id', { max: 100 });
    if (seen.has(id)) throw new Unreadable('account', 'account_id', 'repeated', 'an id of one');
    seen.add(id);
    const scope = { account: id, note };
    const account = new RemoteObject(remote, 'account', scope);
    const accountName = account.plain('display_name', MAX_NAME);
    return readPart({ ...scope, scope: 'account', accountName }, () =>
      toAccount(account, accountName, extras, access.accountFacts?.get(id)),
    );
  });
  return { accounts: accounts.filter((account) => account !== null), unreported: [] };
}

/** Identifying data the bank can add to its account list, by the product it belongs to. */
const EXTRA_OF = { account_numbers: 'numbers', identity: 'holders' } as const;
export type Extra = (typeof EXTRA_OF)[keyof typeof EXTRA_OF];

function allowedExtras({ products = [] }: Pick<ProviderAccess, 'products'>): Extra[] {
  return (['account_numbers', 'identity'] as const)
    .filter((product) => products.includes(product))
    .map((product) => EXTRA_OF[product]);
}

/** @throws Unreadable without an id or a currency */
export function toAccount(
  account: RemoteObject,
  name: string | null,
  extras: readonly Extra[] = [],
  known?: AccountFacts,
): ProviderAccount {
  const balances = account.maybe('balances', (it) => it.object('balances'));
  const amount = (field: string) => balances?.maybe(field, (it) => it.decimal(field)) ?? null;
  const product = account.maybe('product', (it) => it.text('product', { max: 40 })) ?? '';
  return {
    providerAccountId: account.text('account_id', { max: 100 }),
    accountType: settleType({ stated: typeOf(product) }, known?.accountType ?? null),
    name: name ?? 'Account',
    mask: account.maybe('number_last4', (it) =>
      it.text('number_last4', { max: 4, pattern: /^\w{1,4}$/ }),
    ),
    currency: account.currency('currency'),
    available: amount('available'),
    current: amount('current'),
    limit: amount('credit_limit'),
    balanceDate: balances?.maybe('as_of', (it) => it.timestamp('as_of')) ?? null,
    ...(extras.length === 0 ? {} : { identifiers: toIdentifiers(account, extras) }),
  };
}

const typeOf = (product: string): AccountType | null =>
  (Object.hasOwn(ACCOUNT_TYPE_OF, product) ? ACCOUNT_TYPE_OF[product] : undefined) ?? null;

function toIdentifiers(account: RemoteObject, extras: readonly Extra[]): AccountIdentifiers {
  return {
    number: extras.includes('numbers')
      ? account.maybe('account_number', (it) =>
          it.text('account_number', { max: 40, pattern: /^[\w -]+$/ }),
        )
      : null,
    owners: extras.includes('holders')
      ? (account.maybe('holder_names', (it) =>
          it.textList('holder_names', { count: MAX_HOLDERS, max: 200 }),
        ) ?? [])
      : [],
  };
}
