import type { UntidyKind } from './fault-gate.js';

/** The last account has no currency, if the fault says so. */
export const untidyAccounts = <Account extends { currency: string }>(
  accounts: readonly Account[],
  untidy: UntidyKind | null,
): Account[] =>
  accounts.map((account, place) =>
    untidy === 'unreadable_account' && place === accounts.length - 1
      ? { ...account, currency: '' }
      : account,
  );

/** The newest row of a listing has no amount, if the fault says so. */
export const untidyRows = <Row extends { amount: string }>(
  rows: readonly Row[],
  { untidy, isFirstPage }: { untidy: UntidyKind | null; isFirstPage: boolean },
): Row[] =>
  rows.map((row, place) =>
    untidy === 'unreadable_row' && isFirstPage && place === 0 ? { ...row, amount: '' } : row,
  );
