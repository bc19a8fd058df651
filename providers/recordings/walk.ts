import type { Provider, ProviderAccess, TransactionWindow } from '../contract/provider.js';

/** The data that a walk through a source reads. */
export interface WalkParts {
  country: string;
  /** Null = without the data of a link. */
  access: ProviderAccess | null;
  window: TransactionWindow;
  /** Called before each part. */
  onStep?: (step: 'check' | 'catalog' | 'accounts' | 'transactions') => void;
  signal: AbortSignal;
}

/** The findings of a walk, in numbers that reveal nothing about a person. */
export interface WalkOutcome {
  /** The lines of the check, in order. */
  check: { what: string; ok: boolean }[];
  /** The number of institutions on the first page. */
  institutions: number;
  /** Null = no link was read. */
  accounts: { type: string; currency: string }[] | null;
  transactions: { count: number; pending: number } | null;
}

/** Checks the keys, reads a page of institutions and, with a link, its accounts and rows. */
export async function walk(provider: Provider, parts: WalkParts): Promise<WalkOutcome> {
  const { country, access, signal, onStep } = parts;
  onStep?.('check');
  const { lines } = await provider.check(signal);
  onStep?.('catalog');
  let institutions = 0;
  const request = { countries: [country], note: () => undefined, signal };
  for await (const page of provider.listInstitutions?.(request) ?? []) {
    institutions = page.length;
    break;
  }
  const outcome: WalkOutcome = {
    check: lines.map(({ what, ok }) => ({ what, ok })),
    institutions,
    accounts: null,
    transactions: null,
  };
  if (access === null) return outcome;
  onStep?.('accounts');
  const { accounts } = await provider.fetchAccounts(access);
  outcome.accounts = accounts.map(({ accountType: type, currency }) => ({ type, currency }));
  onStep?.('transactions');
  outcome.transactions = { count: 0, pending: 0 };
  for await (const page of provider.fetchTransactions?.(access, parts.window) ?? []) {
    outcome.transactions.count += page.transactions.length;
    outcome.transactions.pending += page.transactions.filter(({ pending }) => pending).length;
  }
  return outcome;
}
