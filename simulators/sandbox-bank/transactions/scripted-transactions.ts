import { Decimal } from 'decimal.js';
import type { ScriptedRow } from '../scripts/scripted-row.js';
import type { BankAccount } from '../accounts/accounts.js';
import type { BankTransaction } from './bank-transaction.js';
import { NO_DETAILS } from '../details/row-details.js';
import { derivedId, type Customer } from '../customers/customer.js';

const OWED: readonly BankAccount['product'][] = [
  'CREDIT_CARD',
  'LOAN',
  'MORTGAGE',
  'STUDENT_LOAN',
  'LINE_OF_CREDIT',
  'OTHER_CREDIT',
];

export function scriptedIdOf(customer: Customer, { ref }: Pick<ScriptedRow, 'ref'>): string {
  return derivedId('tx', customer, 'script', ref);
}

/** The rows written by scripts and not removed. */
export function scriptedTransactions(
  customer: Customer,
  rows: readonly ScriptedRow[],
): BankTransaction[] {
  return rows.flatMap((row) =>
    row.status === 'GONE'
      ? []
      : [
          {
            transaction_id: scriptedIdOf(customer, row),
            account_id: row.accountId,
            direction: row.direction,
            amount: row.amount,
            currency: row.currency,
            booking_date: row.date,
            local_datetime: null,
            status: row.status,
            description: row.description,
            statement_text: row.statementText,
            category: row.category,
            ...NO_DETAILS,
            ...row.details,
          },
        ],
  );
}

/** link-lifecycle 14: pending rows change `available`, posted ones `current`, too. */
export function withScriptedBalances(
  account: BankAccount,
  rows: readonly ScriptedRow[],
): BankAccount {
  const own = rows.filter(
    ({ accountId, status }) => accountId === account.account_id && status !== 'GONE',
  );
  if (own.length === 0) return account;
  const { available, current } = account.balances;
  // the debt grows with spending
  const owes = OWED.includes(account.product);
  const received = sumOf(own);
  const booked = sumOf(own.filter(({ status }) => status === 'BOOKED'));
  return {
    ...account,
    balances: {
      ...account.balances,
      available: available === null ? null : new Decimal(available).plus(received).toFixed(),
      current:
        current === null
          ? null
          : new Decimal(current).plus(owes ? booked.negated() : booked).toFixed(),
    },
  };
}

function sumOf(rows: readonly ScriptedRow[]): Decimal {
  return rows.reduce(
    (sum, { direction, amount }) => (direction === 'IN' ? sum.plus(amount) : sum.minus(amount)),
    new Decimal(0),
  );
}
