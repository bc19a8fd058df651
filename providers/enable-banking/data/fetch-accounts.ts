import type { AccountFacts } from '../../../domain/accounts/account-facts.js';
import type { AccountType } from '../../../domain/accounts/account-types.js';
import { settleType } from '../../../domain/accounts/settle-type.js';
import { isUnreadable, Unreadable, type ReadScope } from '../../http/read-scope.js';
import { RemoteObject } from '../../http/remote-object.js';
import type { AccountListing, ProviderAccess, ProviderAccount } from '../../contract/provider.js';
import type { SessionAccount } from '../client/sealed.js';
import { scopeOf } from '../client/failure-table.js';
import { readEachAccount, type AccountCall, type DataParts } from './account-calls.js';
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
  const known = new Set(access.knownAccounts ?? []);
  const { read, unreported } = await readEachAccount(
    parts,
    access,
    async (account, call, scope) => {
      const details = new RemoteObject(await call('details'), 'account', scope);
      const facts = access.accountFacts?.get(account.id);
      const currency = currencyOf(details) ?? facts?.currency ?? null;
      const isKnown = known.has(account.id);
      const balances = await readBalances(call, { currency, isKnown, scope });
      return toAccount(account, details, balances, facts);
    },
  );
  const mayIdentify = access.products?.includes('account_numbers') ?? false;
  return {
    accounts: read.map(({ number, ...account }) => ({
      ...account,
      ...(mayIdentify ? { identifiers: { number, owners: [] } } : {}),
    })),
    unreported,
  };
}

/**
 * Banks whose balances always fail have readable rows: such an account is offered without balances.
 * A known account keeps its balances.
 */
async function readBalances(
  call: AccountCall,
  { currency, isKnown, scope }: { currency: string | null; isKnown: boolean; scope: ReadScope },
): Promise<Balances & { currency: string | null }> {
  try {
    return toBalances(await call('balances'), currency, scope);
  } catch (error) {
    if (isKnown || scopeOf(error) !== 'account') throw error;
    scope.note({
      scope: 'value',
      account: scope.account,
      resource: 'balance',
      field: '',
      reason: isUnreadable(error) ? 'wrong_type' : 'refused',
    });
    return { current: null, available: null, date: null, currency };
  }
}

/** Banks write XXX, "no currency", for accounts that hold several, or none yet. */
function currencyOf(details: RemoteObject): string | null {
  const currency = details.maybe('currency', (it) => it.currency('currency'));
  return currency === 'XXX' ? null : currency;
}

/** @throws Unreadable for an account whose currency is not stated anywhere */
export function toAccount(
  { id, iban, bban }: SessionAccount,
  details: RemoteObject,
  { current, available, date, currency }: Balances & { currency: string | null },
  known?: AccountFacts,
): ProviderAccount & { number: string | null } {
  const type = details.maybe('cash_account_type', (it) =>
    it.text('cash_account_type', { max: 40 }),
  );
  const accountType = settleType(
    { stated: ACCOUNT_TYPE_OF.get(type ?? '') ?? null },
    known?.accountType ?? null,
  );
  if (currency === null) throw new Unreadable('account', 'currency', 'missing', 'a currency');
  const owed = accountType.startsWith('liability.');
  const mask = maskOf(iban ?? bban ?? cardNumberOf(details));
  return {
    providerAccountId: id,
    accountType,
    name: nameOf(details) ?? (mask === null ? 'Account' : `Account ${mask}`),
    mask,
    currency,
    available,
    // Debts are negative in this API, and positive in Tributary.
    current: owed && current?.isZero() === false ? current.neg() : current,
    limit: owed ? limitOf(details, currency) : null,
    balanceDate: date,
    number: iban ?? bban,
  };
}

/** The user's or the bank's name for the account; `name` is the name of its holder. */
const nameOf = (details: RemoteObject): string | null =>
  details.plain('details', MAX_NAME) ?? details.plain('product', MAX_NAME);

/** Masked or not; only its last digits are used. */
function cardNumberOf(details: RemoteObject): string | null {
  const other = details
    .maybe('account_id', (it) => it.object('account_id'))
    ?.maybe('other', (it) => it.object('other'));
  return other?.maybe('identification', (it) => it.text('identification', { max: 100 })) ?? null;
}

const maskOf = (number: string | null): string | null =>
  /[A-Za-z0-9]{4}$/.exec(number?.replace(/[\s-]/g, '') ?? '')?.[0] ?? null;

function limitOf(details: RemoteObject, currency: string) {
  const limit = details.maybe('credit_limit', (it) => it.object('credit_limit'));
  const ofLimit = limit?.maybe('currency', (it) => it.currency('currency'));
  return ofLimit === currency
    ? (limit?.maybe('amount', (it) => it.decimal('amount')) ?? null)
    : null;
}
