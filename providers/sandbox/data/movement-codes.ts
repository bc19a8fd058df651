import type { InvestmentTransactionType } from '../../../domain/investments/investment-transaction-types.js';

/** The direction of money or units, as far as the code of a movement decides it. */
export type Direction = 'in' | 'out';

export interface MovementRule {
  type: InvestmentTransactionType;
  subtype: string | null;
  /** Null = the sign of the row decides. */
  cash: Direction | null;
  position: Direction | null;
}

const rule = (
  type: InvestmentTransactionType,
  subtype: string | null = null,
  cash: Direction | null = null,
  position: Direction | null = null,
): MovementRule => ({ type, subtype, cash, position });

/** The bank's codes of movements. */
const RULES: Readonly<Record<string, MovementRule>> = {
  BOUGHT: rule('buy', null, 'out', 'in'),
  SOLD: rule('sell', null, 'in', 'out'),
  SOLD_SHORT: rule('sell', 'sell_short', 'in', 'out'),
  REINVESTED: rule('buy', 'reinvestment', null, 'in'),
  DIVIDEND: rule('dividend', null, 'in'),
  INTEREST: rule('interest', null, 'in'),
  FEE: rule('fee', null, 'out'),
  TAX: rule('tax', null, 'out'),
  DEPOSIT: rule('deposit', null, 'in'),
  CONTRIBUTION: rule('deposit', 'contribution', 'in'),
  WITHDRAWAL: rule('withdrawal', null, 'out'),
  TRANSFERRED_IN: rule('transfer'),
  TRANSFERRED_OUT: rule('transfer'),
  SPLIT: rule('split'),
  EXPIRED: rule('other', 'expire'),
};

const OTHER = rule('other');

/** An unknown code is `other`, whose signs decide. */
export const movementRule = (code: string | null): MovementRule =>
  (code !== null && Object.hasOwn(RULES, code) ? RULES[code] : undefined) ?? OTHER;
