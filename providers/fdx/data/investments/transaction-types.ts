// cspell:ignoreRegExp /\b[A-Z]{3,}\b/g
import type { InvestmentTransactionType } from '../../../../domain/investments/investment-transaction-types.js';

export type Direction = 'in' | 'out';

/** The meaning of one `transactionType`. */
export interface TransactionRule {
  type: InvestmentTransactionType;
  subtype: string | null;
  /** The change of the position; `closing`: towards zero; `stated`: as the row states. */
  position: Direction | 'closing' | 'stated' | 'none';
  /** The change of the account's cash; `reinvested`: it returns to the position it came from. */
  cash: Direction | 'reinvested' | 'stated' | 'none';
}

const rule = (
  type: InvestmentTransactionType,
  position: TransactionRule['position'],
  cash: TransactionRule['cash'],
  subtype: string | null = null,
): TransactionRule => ({ type, subtype, position, cash });

const PURCHASE = rule('buy', 'in', 'out');
const COVER = rule('buy', 'in', 'out', 'buy_to_cover');
const SALE = rule('sell', 'out', 'in');
const DIVIDEND = rule('dividend', 'none', 'in');
const REINVESTMENT = rule('buy', 'in', 'reinvested', 'reinvestment');
/** Funds of a pension pay fees with units. */
const FEE = rule('fee', 'out', 'out');
const DEPOSIT = rule('deposit', 'in', 'in');
const TRANSFER = rule('transfer', 'stated', 'stated');
export const OTHER = rule('other', 'stated', 'stated');
/** Its direction decides between the two. */
export const PAYMENT_RULES: Readonly<Record<Direction, TransactionRule>> = {
  in: DEPOSIT,
  out: rule('withdrawal', 'out', 'out'),
};
/** A row that states only what was withheld. */
export const TAX = rule('tax', 'none', 'out');

/** `InvestmentTransactionType` of the published schemas of FDX 5 and 6. Source: native-api 3.14. */
export const RULES: Readonly<Record<string, TransactionRule>> = {
  PURCHASED: PURCHASE,
  PURCHASETOOPEN: PURCHASE,
  PURCHASEDTOCOVER: COVER,
  PURCHASETOCLOSE: COVER,
  SOLD: SALE,
  SOLDTOCLOSE: SALE,
  SOLDTOOPEN: rule('sell', 'out', 'in', 'sell_short'),
  DIVIDEND,
  DIV: DIVIDEND,
  DIVIDENDREINVEST: REINVESTMENT,
  REINVESTOFINCOME: REINVESTMENT,
  INTEREST: rule('interest', 'none', 'in'),
  MARGININTEREST: rule('fee', 'none', 'out', 'margin_interest'),
  FEE,
  EXPENSE: FEE,
  INVEXPENSE: FEE,
  SRVCHG: rule('fee', 'out', 'out', 'account_fee'),
  CONTRIBUTION: rule('deposit', 'in', 'in', 'contribution'),
  DEP: DEPOSIT,
  DEPOSIT,
  DIRECTDEP: DEPOSIT,
  TRANSFER,
  XFER: TRANSFER,
  JRNLSEC: TRANSFER,
  JRNLFUND: TRANSFER,
  SPLIT: rule('split', 'none', 'in'),
  OPTIONEXERCISE: rule('other', 'closing', 'stated', 'exercise'),
  OPTIONEXPIRATION: rule('other', 'closing', 'none', 'expire'),
  RETURNOFCAPITAL: rule('other', 'stated', 'stated', 'return_of_capital'),
  ADJUSTMENT: rule('other', 'stated', 'stated', 'adjustment'),
  CLOSURE: OTHER,
  CLOSUREOPT: OTHER,
  INCOME: OTHER,
  OTHER,
};

/** Types that do not state a direction. */
export const PAYMENTS: ReadonlySet<string> = new Set([
  'ATM',
  'POS',
  'CHECK',
  'PAYMENT',
  'CASH',
  'DIRECTDEBIT',
  'REPEATPMT',
]);

/** The subtype of a dividend by its `incomeType`. */
export const DIVIDEND_SUBTYPES: Readonly<Record<string, string>> = {
  CGLONG: 'capital_gain_long',
  CGSHORT: 'capital_gain_short',
};
