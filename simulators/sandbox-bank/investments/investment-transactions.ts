import type { BankInvestmentTransaction } from './bank-investment-transaction.js';
import type { Decimal } from 'decimal.js';
import { dataKindOf, derivedId, type Customer } from '../customers/customer.js';
import { isoDateOf } from '../transactions/day-number.js';
import { customInvestmentTransactions } from './custom-investment-transactions.js';
import type { HoldingsChange } from './holdings-change.js';
import type { InvestmentAccount } from './investment-accounts.js';
import type { Movement, MovementCode } from './movement.js';
import { portfoliosOf } from './portfolios.js';
import { quotedIn } from './quoted-in.js';
import { tradingDayFrom } from './trading-days.js';

const WORDS: Readonly<Record<MovementCode, string>> = {
  BOUGHT: 'Bought',
  SOLD: 'Sold',
  SOLD_SHORT: 'Sold to open',
  REINVESTED: 'Reinvested income',
  DIVIDEND: 'Dividend',
  INTEREST: 'Interest',
  FEE: 'Account fee',
  DEPOSIT: 'Deposit',
  CONTRIBUTION: 'Contribution',
  WITHDRAWAL: 'Withdrawal',
  TRANSFERRED_IN: 'Transferred in',
  SPLIT: 'Split',
  EXPIRED: 'Expired',
};

const TRADES: readonly MovementCode[] = ['BOUGHT', 'SOLD', 'SOLD_SHORT'];

/** All movements until a day that the permission covers, those of scripts included. */
export function investmentTransactionsOf(
  customer: Customer,
  today: number,
  changes: readonly HoldingsChange[] = [],
): BankInvestmentTransaction[] {
  if (dataKindOf(customer) === 'custom') return customInvestmentTransactions(customer, today);
  return portfoliosOf(customer, today, changes).accounts.flatMap((account) =>
    account.movements.map((movement) => shown(account, movement, { customer, today })),
  );
}

function shown(
  { accountId, template }: InvestmentAccount,
  movement: Movement,
  { customer, today }: { customer: Customer; today: number },
): BankInvestmentTransaction {
  const { key, day, code, security } = movement;
  const currency = security?.shown.currency ?? template.currency;
  const quoted = quotedIn(currency);
  const written = (figure: Decimal | null) => (figure === null ? null : quoted(figure));
  const settled = TRADES.includes(code) ? tradingDayFrom(day + 1) : day;
  return {
    transaction_id: derivedId('itx', customer, template.key, key),
    account_id: accountId,
    security: security?.shown ?? null,
    code,
    quantity: movement.quantity?.toFixed() ?? null,
    price: written(movement.price),
    amount: written(movement.amount),
    gross: written(movement.gross),
    fees: written(movement.fees),
    taxes: written(movement.taxes),
    currency,
    booking_date: isoDateOf(day),
    settlement_date: isoDateOf(settled),
    status: settled > today ? 'PENDING' : 'BOOKED',
    description: [WORDS[code], security?.shown.name ?? movement.source].filter(Boolean).join(' '),
    cancels_transaction_id: null,
  };
}
