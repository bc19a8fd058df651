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

/** Removes the quantity of the first holding, if the fault requires it. */
export const untidyHoldings = <Holding extends { quantity: string }>(
  holdings: readonly Holding[],
  untidy: UntidyKind | null,
): Holding[] =>
  holdings.map((holding, place) =>
    untidy === 'unreadable_holding' && place === 0 ? { ...holding, quantity: '' } : holding,
  );

/** Removes the currency of the last debt, if the fault requires it. */
export const untidyLiabilities = <Liability extends { currency: string }>(
  liabilities: readonly Liability[],
  untidy: UntidyKind | null,
): Liability[] =>
  liabilities.map((liability, place) =>
    untidy === 'unreadable_liability' && place === liabilities.length - 1
      ? { ...liability, currency: '' }
      : liability,
  );
