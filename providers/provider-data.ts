import type { Decimal } from 'decimal.js';
import type { AccountMarks } from '../domain/account-marks.js';
import type { AccountNumbers } from '../domain/account-numbers.js';
import type { Owner } from '../domain/account-owner.js';
import type { Product } from '../domain/products.js';
import type { ProviderSecret } from './provider.js';

/** What a data call needs: the opened credential, and which institution it is for. */
export interface ProviderAccess {
  remoteId: string;
  credential: ProviderSecret;
  /** The same for all calls and repetitions of one fetch of a product. A source that counts fetches counts each once. */
  fetchKey?: string;
  /** What the user granted. Of what belongs to other products nothing may be asked; missing = accounts alone. */
  products?: readonly Product[];
  /** What time it is in the sandbox world of the permission; null or missing = real time. Live adapters ignore it. */
  worldTime?: Date | null;
  signal: AbortSignal;
}

export interface ProviderAccount {
  /** The provider's id, stable for this permission. */
  providerAccountId: string;
  /** One of domain/account-types.ts. */
  accountType: string;
  name: string;
  mask: string | null;
  currency: string;
  available: Decimal | null;
  current: Decimal | null;
  limit: Decimal | null;
  balanceDate: Date | null;
  /**
   * Where the source says with its listing and `products` allows it: the whole account number, and the names of the owners.
   * An account that comes under another id is recognised by them; they are compared and never stored.
   */
  marks?: AccountMarks;
}

export interface ProviderAccountNumbers {
  providerAccountId: string;
  numbers: AccountNumbers;
}

export interface ProviderAccountOwners {
  providerAccountId: string;
  /** In the order of the source. */
  owners: Owner[];
}

/** Days, inclusive, `YYYY-MM-DD`. */
export interface TransactionWindow {
  from: string;
  to: string;
}

export interface ProviderTransactionPage {
  transactions: ProviderTransaction[];
  /**
   * The days of the window that the source still knows, the same on every page; null = none, missing = the whole window.
   * Only inside it does a row's absence mean that the source withdrew it: history rolls on while we read.
   */
  covered?: TransactionWindow | null;
}

export interface ProviderTransaction {
  providerTransactionId: string;
  providerAccountId: string;
  /** Never negative; direction is in `type`. */
  amount: Decimal;
  type: 'debit' | 'credit';
  currency: string;
  /** `YYYY-MM-DD`. */
  date: string;
  /** Local time of the institution, `YYYY-MM-DDTHH:MM:SS.mmm`, or null. */
  datetime: string | null;
  description: string | null;
  rawDescription: string | null;
  pending: boolean;
  /** `group.subgroup` of domain/transaction-categories.ts, or null. */
  category: string | null;
  /** Of a posted row whose id changed (`facts.pendingIdsSurvive` is false): the id it had while it was pending, if the source says so. */
  replaces?: string | null;
}
