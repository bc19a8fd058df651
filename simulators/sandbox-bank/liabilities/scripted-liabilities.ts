import { figureIn } from '../accounts/figures.js';
import type { BankLiability } from './bank-liability.js';

/** A step of a script that set fields of a debt, to values that need not make sense. */
export interface LiabilityChange {
  accountId: string;
  fields: Readonly<Record<string, unknown>>;
}

/** The debts after the steps of scripts. A part of a debt, such as its statement, is replaced as a whole. */
export const scriptedLiabilities = (
  debts: readonly BankLiability[],
  changes: readonly LiabilityChange[],
): BankLiability[] =>
  debts.map((debt) =>
    changes.reduce(
      (left, { accountId, fields }) =>
        accountId === debt.account_id ? { ...left, ...fields } : left,
      debt,
    ),
  );

/** The debts whose balance is a figure, which is that of their accounts. */
export const withReadableBalance = (debts: readonly BankLiability[]): BankLiability[] =>
  debts.flatMap((debt) => {
    const balance = figureIn(debt.balance);
    return balance === null ? [] : [{ ...debt, balance: balance.toFixed() }];
  });
