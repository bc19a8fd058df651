import type { AccountType } from '../../../domain/accounts/account-types.js';
import { RemoteObject } from '../../http/remote-object.js';
import type { AccountListing, ProviderAccess, ProviderAccount } from '../../provider.js';
import type { SessionAccount } from '../client/sealed.js';
import { readEachAccount, type DataParts } from './account-calls.js';
import { toBalances, type Balances } from './balances.js';

const MAX_NAME = 200;

/** `cash_account_type` (ISO 20022). */
const ACCOUNT_TYPE_OF: ReadonlyMap<string, AccountType> = new Map([
  ['CACC', 'depository.checking'],
  ['SVGS', 'depository.savings'],
  ['CASH', 'depository.cash'],
  ['CARD', 'liability.credit_card'],
  ['LOAN', 'liability.loan'],
  ['OTHR', 'other.other'],
]);

/** Reads the details and the balances of each account. */
export async function fetchAccounts(
  parts: DataParts,
  access: ProviderAccess,
): Promise<AccountListing> {
  const { read, unreported } = await readEachAccount(parts, access, async (account, call) => {
    const details = new RemoteObject(await call('details'), 'account');
    const currency = details.text('currency', { max: 3, pattern: /^[A-Z]{3}$/ });
    return toAccount(account, details, toBalances(await call('balances'), currency));
  });
  const mayIdentify = access.products?.includes('account_numbers') ?? false;
  return {
    accounts: read.map(({ number, ...account }) => ({
      ...account,
      ...(mayIdentify ? { identifiers: { number, owners: [] } } : {}),
    })),
    unreported,
  };
}

export function toAccount(
  { id, iban, bban }: SessionAccount,
  details: RemoteObject,
  { current, available, date }: Balances,
): ProviderAccount & { number: string | null } {
  const accountType =
    ACCOUNT_TYPE_OF.get(details.text('cash_account_type', { max: 40 })) ?? 'unknown';
  const currency = details.text('currency', { max: 3, pattern: /^[A-Z]{3}$/ });
  const owed = accountType.startsWith('liability.');
  const mask = maskOf(iban ?? bban ?? cardNumberOf(details));
  return {
    providerAccountId: id,
    accountType,
    name: nameOf(details) ?? (mask === null ? 'Account' : `Account ${mask}`),
    mask,
    currency,
    available,
    // What is owed is negative there, and positive here.
    current: owed && current?.isZero() === false ? current.neg() : current,
    limit: owed ? limitOf(details, currency) : null,
    balanceDate: date,
    number: iban ?? bban,
  };
}

/** What the user or the bank calls the account; `name` is that of its holder. */
function nameOf(details: RemoteObject): string | null {
  for (const field of ['details', 'product']) {
    const text = details
      .optional(field, (it) => it.anyText(field))
      ?.trim()
      .slice(0, MAX_NAME);
    if (text !== undefined && text !== '') return text;
  }
  return null;
}

/** Masked or not; only its end is used. */
function cardNumberOf(details: RemoteObject): string | null {
  const other = details
    .optional('account_id', (it) => it.object('account_id'))
    ?.optional('other', (it) => it.object('other'));
  return other?.text('identification', { max: 100 }) ?? null;
}

const maskOf = (number: string | null): string | null =>
  /[A-Za-z0-9]{4}$/.exec(number?.replace(/[\s-]/g, '') ?? '')?.[0] ?? null;

function limitOf(details: RemoteObject, currency: string) {
  const limit = details.optional('credit_limit', (it) => it.object('credit_limit'));
  return limit?.text('currency', { max: 3 }) === currency ? limit.decimal('amount') : null;
}
