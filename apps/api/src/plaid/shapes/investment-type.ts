import type { InvestmentTransactionType } from '../../../../../domain/investments/investment-transaction-types.js';
import type { StoredTrade } from './stored-investments.js';

/** Plaid's type and subtype of an investment transaction. */
export interface PlaidInvestmentType {
  type: 'buy' | 'sell' | 'cash' | 'fee' | 'transfer';
  subtype: string;
}

const of = (type: PlaidInvestmentType['type'], subtype: string): PlaidInvestmentType => ({
  type,
  subtype,
});

const TRANSFER = of('transfer', 'transfer');

/** By native type; `other` goes by the money that moved. */
const BY_TYPE: Readonly<Record<Exclude<InvestmentTransactionType, 'other'>, PlaidInvestmentType>> =
  {
    buy: of('buy', 'buy'),
    sell: of('sell', 'sell'),
    dividend: of('cash', 'dividend'),
    interest: of('cash', 'interest'),
    fee: of('fee', 'miscellaneous fee'),
    tax: of('cash', 'tax'),
    deposit: of('cash', 'deposit'),
    withdrawal: of('cash', 'withdrawal'),
    transfer: TRANSFER,
    split: of('transfer', 'split'),
  };

/** By native subtype, an open list: others go by their type. */
const BY_SUBTYPE: ReadonlyMap<string, PlaidInvestmentType> = new Map(
  Object.entries({
    buy_to_cover: of('buy', 'buy to cover'),
    reinvestment: of('buy', 'dividend reinvestment'),
    sell_short: of('sell', 'sell short'),
    capital_gain_long: of('cash', 'long-term capital gain'),
    capital_gain_short: of('cash', 'short-term capital gain'),
    margin_interest: of('fee', 'margin expense'),
    account_fee: of('fee', 'account fee'),
    contribution: of('cash', 'contribution'),
    exercise: of('transfer', 'exercise'),
    expire: of('transfer', 'expire'),
    return_of_capital: of('cash', 'return of principal'),
    adjustment: of('cash', 'adjustment'),
  }),
);

/** Source: plaid-compat 6.10. */
export function investmentType({
  type,
  subtype,
  amount,
  pending,
}: StoredTrade): PlaidInvestmentType {
  // Only movements of cash are served while they are pending.
  if (pending) return of('cash', (amount ?? 0) < 0 ? 'pending debit' : 'pending credit');
  const known = BY_SUBTYPE.get(subtype ?? '');
  if (known !== undefined) return known;
  if (type !== 'other') return BY_TYPE[type];
  if (amount === null || amount === 0) return TRANSFER;
  return BY_TYPE[amount < 0 ? 'withdrawal' : 'deposit'];
}
