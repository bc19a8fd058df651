import { readListing } from '../../../activities/refresh/read-listing.js';
import type {
  Provider,
  ProviderAccess,
  ProviderTransactionPage,
  SourceFault,
  TransactionWindow,
} from '../../../providers/contract/provider.js';

/** The result of one operation of an adapter. */
export interface Reading {
  /** By account: its rows, its owners, its numbers or itself, each as text, by its id there. */
  parts: ReadonlyMap<string, ReadonlyMap<string, string>>;
  faults: readonly SourceFault[];
  unreported: ReadonlySet<string>;
  /** Null = no day, so that no row counts as missing. */
  covered: TransactionWindow | null;
  /** The error that was thrown. */
  failure: unknown;
  /** Data that no result may contain, whatever the source sends. */
  problems: readonly string[];
}

interface Returned {
  parts: { account: string; id: string; value: object }[];
  unreported?: readonly string[];
  covered?: TransactionWindow | null;
}

export const OPERATIONS = [
  'accounts',
  'transactions',
  'account_numbers',
  'identity',
  'holdings',
  'investment_transactions',
  'liabilities',
] as const;
export type Operation = (typeof OPERATIONS)[number];

type Read = (
  provider: Provider,
  access: ProviderAccess,
  window: TransactionWindow,
) => Promise<Returned>;

/** The listing of an adapter without rows. */
async function* nothing(): AsyncGenerator<ProviderTransactionPage> {
  // No page.
}

const READ: Readonly<Record<Operation, Read>> = {
  async accounts(provider, access) {
    const { accounts, unreported } = await provider.fetchAccounts(access);
    return {
      parts: accounts.map((value) => ({ account: value.providerAccountId, id: 'account', value })),
      unreported,
    };
  },
  async transactions(provider, access, window) {
    const pages = provider.fetchTransactions?.(access, window) ?? nothing();
    // As the core reads it: rows that share an id get ids of their own.
    const listing = await readListing(pages, window, access);
    return {
      parts: listing.transactions.map((value) => ({
        account: value.providerAccountId,
        id: value.providerTransactionId,
        value,
      })),
      unreported: listing.unreported ?? [],
      covered: listing.window,
    };
  },
  async account_numbers(provider, access) {
    const listed = (await provider.fetchAccountNumbers?.(access)) ?? [];
    return {
      parts: listed.flatMap(({ providerAccountId: account, numbers }) =>
        Object.values(numbers)
          .flat()
          .map((value: object, place) => ({ account, id: `number ${place}`, value })),
      ),
    };
  },
  async holdings(provider, access) {
    const listed = (await provider.fetchHoldings?.(access)) ?? { accounts: [], holdings: [] };
    const holdingsOf = (id: string) =>
      listed.holdings.filter(({ providerAccountId }) => providerAccountId === id);
    return {
      parts: listed.accounts.flatMap((value) => {
        const account = value.providerAccountId;
        const held = holdingsOf(account).map((holding, place) => ({
          account,
          id: `holding ${place}`,
          value: holding,
        }));
        return [{ account, id: 'account', value }, ...held];
      }),
    };
  },
  async investment_transactions(provider, access, window) {
    const trades = await provider.fetchInvestmentTransactions?.(access, window);
    return {
      parts: (trades?.transactions ?? []).map((value, place) => ({
        account: value.providerAccountId,
        id: `${value.providerTransactionId} ${place}`,
        value,
      })),
      ...(trades === undefined ? {} : { covered: trades.window }),
    };
  },
  async liabilities(provider, access) {
    const listed = (await provider.fetchLiabilities?.(access)) ?? [];
    return {
      parts: listed.map((value) => ({ account: value.providerAccountId, id: 'debt', value })),
    };
  },
  async identity(provider, access) {
    const listed = (await provider.fetchIdentity?.(access)) ?? [];
    return {
      parts: listed.flatMap(({ providerAccountId: account, owners }) =>
        owners.map((value, place) => ({ account, id: `owner ${place}`, value })),
      ),
    };
  },
};

/** Runs an operation. Its error is part of the reading. */
export async function readAll(
  operation: Operation,
  provider: Provider,
  access: ProviderAccess,
  window: TransactionWindow,
): Promise<Reading> {
  const faults: SourceFault[] = [];
  access.note = (fault) => void faults.push(fault);
  let returned: Returned = { parts: [] };
  let failure: unknown = null;
  try {
    returned = await READ[operation](provider, access, window);
  } catch (error) {
    failure = error;
  }
  const parts = new Map<string, Map<string, string>>();
  const problems: string[] = [];
  for (const { account, id, value } of returned.parts) {
    const its = parts.get(account) ?? new Map<string, string>();
    parts.set(account, its);
    if (its.has(id)) problems.push('the same id twice');
    its.set(id, JSON.stringify(value));
    problems.push(...problemsOf(value));
  }
  return {
    parts,
    faults,
    unreported: new Set(returned.unreported),
    covered: returned.covered === undefined ? window : returned.covered,
    failure,
    problems: [...new Set(problems)],
  };
}

const MAX_TEXT = 1_000;
const DAY = /^\d{4}-(0[1-9]|1[0-2])-([0-2]\d|3[01])$/;

/** Values that the database refuses, or that no one could use. */
function problemsOf(value: object): string[] {
  const problems: string[] = [];
  const { date, currency } = value as { date?: unknown; currency?: unknown };
  if (date !== undefined && !DAY.test(String(date))) problems.push('a day that does not exist');
  if (currency !== undefined && !/^[A-Z]{3}$/.test(String(currency)))
    problems.push('a currency that is none');
  visit(JSON.parse(JSON.stringify(value)));
  return problems;

  function visit(part: unknown): void {
    if (typeof part === 'object' && part !== null) return Object.values(part).forEach(visit);
    if (typeof part !== 'string') return;
    if (/[\u0000\p{Cs}]/u.test(part)) problems.push('text that cannot be stored');
    if (part.length > MAX_TEXT) problems.push('text of any length');
    if (/^(NaN|-?Infinity)$|^[+-]\d{6}-/.test(part)) problems.push('a value that does not exist');
  }
}
