import type { UntidyKind } from './fault-gate.js';

/** Removes the currency of the last account, if the fault requires it. */
export const untidyAccounts = <Account extends { currency: string }>(
  accounts: readonly Account[],
  untidy: UntidyKind | null,
): Account[] =>
  accounts.map((account, place) =>
    untidy === 'unreadable_account' && place === accounts.length - 1
      ? { ...account, currency: '' }
      : account,
  );

/** Removes the amount of the newest row of a listing, if the fault requires it. */
export const untidyRows = <Row extends { amount: string }>(
  rows: readonly Row[],
  { untidy, isFirstPage }: { untidy: UntidyKind | null; isFirstPage: boolean },
): Row[] =>
  rows.map((row, place) =>
    untidy === 'unreadable_row' && isFirstPage && place === 0 ? { ...row, amount: '' } : row,
  );
