import type { Decimal } from 'decimal.js';
import type { RemoteObject } from '../../http/remote-object.js';
import type { AccountListing, ProviderAccount } from '../../contract/provider.js';
import type { ReadResource } from './resource-reader.js';
import type { FdxInstitution } from '../settings.js';
import { readDescriptors, type AccountDescriptor } from './account-descriptor.js';
import { accountTypeOf } from './account-types.js';
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
  current: string;
  available?: string;
  limit?: string;
}

/** Debts are positive in FDX, as in Tributary. */
const BALANCES: Readonly<Record<string, BalanceFields>> = {
  DEPOSIT_ACCOUNT: { current: 'currentBalance', available: 'availableBalance' },
  LOC_ACCOUNT: { current: 'currentBalance', available: 'availableCredit', limit: 'creditLine' },
  LOAN_ACCOUNT: { current: 'principalBalance' },
  INVESTMENT_ACCOUNT: { current: 'currentValue', available: 'availableCashBalance' },
};

/** @param details null for an account for which the bank shows no balances */
export function toAccount(
  { id, category, type, name, mask, currency }: AccountDescriptor,
  details: RemoteObject | null,
): ProviderAccount {
  const fields = Object.hasOwn(BALANCES, category) ? BALANCES[category] : undefined;
  const money = (field: string | undefined): Decimal | null =>
    field === undefined ? null : (details?.maybe(field, (it) => it.decimalNumber(field)) ?? null);
  return {
    providerAccountId: id,
    accountType: accountTypeOf(category, type),
    name,
    mask,
    currency,
    available: money(fields?.available),
    current: money(fields?.current),
    limit: money(fields?.limit),
    balanceDate: details?.maybe('balanceAsOf', (it) => momentOf(it, 'balanceAsOf').instant) ?? null,
  };
}
