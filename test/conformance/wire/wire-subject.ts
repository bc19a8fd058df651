import { addDays, utcDay } from '../../../domain/api/timestamps.js';
import type {
  Provider,
  ProviderAccess,
  TransactionWindow,
} from '../../../providers/contract/provider.js';
import type { SuiteLimits } from '../limits.js';

export interface WireAccount {
  id: string;
  name: string;
  kind: 'checking' | 'card';
  /** What is held; negative = owed. */
  cents: number;
}

export interface WireRow {
  id: string;
  account: string;
  text: string;
  /** Negative = money out. */
  cents: number;
  posted: string | null;
  happened: string | null;
  /** `posted` and `pending` in the words of the source, others as they are. */
  status: string;
}

/** A request for data, in the terms that all sources share. */
export type WireRequest =
  | { about: 'accounts' }
  | { about: 'account'; account: string; part: string }
  /** Null = of all accounts. */
  | { about: 'rows'; account: string | null; page: number };

/** The source of an adapter as a translation, so that a test is the source. */
export interface WireSubject {
  /** The rules of `providers/rules` for which the protocol has no words, with the reason. */
  lacks: Readonly<Partial<Record<'days' | 'keys' | 'listings' | 'words', string>>>;
  /** Every page lists rows of all accounts. */
  sharesPages: boolean;
  /** The statuses by which the source says that an account has no rows to list. */
  noRows?: readonly number[];
  open(
    origin: string,
    accounts: readonly WireAccount[],
    limits: SuiteLimits,
  ): Promise<{ provider: Provider; access: ProviderAccess }>;
  /** Null for a request that is not about data. */
  requestOf(url: URL): WireRequest | null;
  /** The body for a request that is not about data. */
  other?(): unknown;
  /** Its list of institutions and the start of a login there; missing = the list needs no call. */
  institutions?: { list: Record<string, unknown>; login: unknown };
  accountList(accounts: readonly WireAccount[]): Record<string, unknown>;
  accountPart?(account: WireAccount, part: string): Record<string, unknown>;
  row(row: WireRow): Record<string, unknown>;
  /** @param next the key of the next page */
  page(
    rows: ReadonlyMap<WireAccount, readonly unknown[]>,
    next: string | null,
    url: URL,
  ): Record<string, unknown>;
}

/** More than a SimpleFIN server lists in one response. */
export const WINDOW_DAYS = 60;

export function windowUpTo(today: string = utcDay(new Date())): TransactionWindow {
  return { from: addDays(today, 1 - WINDOW_DAYS), to: today };
}

export const amountOf = (cents: number): string => (cents / 100).toFixed(2);
