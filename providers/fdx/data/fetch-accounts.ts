import type { Decimal } from 'decimal.js';
import type { RemoteObject } from '../../http/remote-object.js';
import type { AccountListing, ProviderAccount } from '../../contract/provider.js';
import type { ReadResource } from './resource-reader.js';
import type { FdxInstitution } from '../settings.js';
import { readDescriptors, type AccountDescriptor } from './account-descriptor.js';
import { AccountTally, type Noting } from './each-account.js';
import { momentOf } from './moment.js';

/** Reads the list of accounts, then the balances of each. */
export async function fetchAccounts(
  read: ReadResource,
  institution: FdxInstitution,
  noting: Noting,
): Promise<AccountListing> {
  const tally = new AccountTally(noting);
  const accounts: ProviderAccount[] = [];
  for (const descriptor of await readDescriptors(read, institution, noting)) {
    const { id, hasError } = descriptor;
    if (hasError) {
      tally.addFailed(id);
      continue;
    }
    const details = await tally.attempt(id, () =>
      read(['accounts', id], {}, { account: id, ...noting }),
    );
    if (!tally.unreported.has(id)) accounts.push(toAccount(descriptor, details));
  }
  if (accounts.length === 0) tally.expectAny();
  return { accounts, unreported: [...tally.unreported] };
}

interface BalanceFields {
  current: readonly string[];
  available: readonly string[];
  limit: readonly string[];
}

/** Debts are positive in FDX, as in Tributary. */
const BALANCES: Readonly<Record<string, BalanceFields>> = {
  DEPOSIT_ACCOUNT: { current: ['currentBalance'], available: ['availableBalance'], limit: [] },
  LOC_ACCOUNT: {
    current: ['currentBalance'],
    available: ['availableCredit'],
    limit: ['creditLine'],
  },
  LOAN_ACCOUNT: { current: ['principalBalance'], available: [], limit: [] },
  INVESTMENT_ACCOUNT: {
    current: ['currentValue'],
    available: ['availableCashBalance'],
    limit: [],
  },
};

const NO_BALANCES: BalanceFields = { current: [], available: [], limit: [] };

/** For an account whose category is missing. */
const ANY_BALANCES: BalanceFields = {
  current: ['currentBalance', 'principalBalance', 'currentValue'],
  available: ['availableBalance', 'availableCredit', 'availableCashBalance'],
  limit: ['creditLine'],
};

/** @param details null for an account for which the bank shows no balances */
export function toAccount(
  { id, category, accountType, name, mask, currency }: AccountDescriptor,
  details: RemoteObject | null,
): ProviderAccount {
  const fields = fieldsOf(category);
  const money = (names: readonly string[]): Decimal | null =>
    names.flatMap((name) => details?.maybe(name, (it) => it.decimalNumber(name)) ?? [])[0] ?? null;
  return {
    providerAccountId: id,
    accountType,
    name,
    mask,
    currency,
    available: money(fields.available),
    current: money(fields.current),
    limit: money(fields.limit),
    balanceDate: details?.maybe('balanceAsOf', (it) => momentOf(it, 'balanceAsOf').instant) ?? null,
  };
}

function fieldsOf(category: string): BalanceFields {
  if (category === '') return ANY_BALANCES;
  return (Object.hasOwn(BALANCES, category) ? BALANCES[category] : undefined) ?? NO_BALANCES;
}
