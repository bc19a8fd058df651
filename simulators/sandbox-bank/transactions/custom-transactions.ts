import { accountIdOf, accountsHeldBy } from '../accounts/accounts.js';
import type { BankTransaction } from './bank-transaction.js';
import { derivedId, type Customer } from '../customers/customer.js';
import { givenDetails } from '../details/given-details.js';
import { NO_DETAILS } from '../details/row-details.js';

/** The rows of `user_custom` so far: a row with a time appears at that time. Source: link-lifecycle 13.4. */
export function customTransactions(customer: Customer, now: Date): BankTransaction[] {
  const accounts = accountsHeldBy(customer);
  const isDue = ({ local_datetime: time }: BankTransaction) =>
    time === null || new Date(`${time}Z`) <= now;
  return (customer.customData?.transactions ?? []).flatMap((row, index) => {
    const account = accounts[row.account];
    if (account === undefined) return [];
    return [
      {
        transaction_id: derivedId('tx', customer, 'custom', String(index)),
        account_id: accountIdOf(customer, account),
        direction: row.type === 'debit' ? 'OUT' : 'IN',
        amount: row.amount,
        currency: account.currency,
        booking_date: row.date,
        // a time on another day than the row's would contradict it
        local_datetime: row.datetime?.startsWith(row.date) === true ? row.datetime : null,
        status: row.pending ? 'PENDING' : 'BOOKED',
        description: row.description,
        statement_text: row.raw_description,
        category: row.category,
        ...NO_DETAILS,
        ...givenDetails(row),
      } satisfies BankTransaction,
    ].filter(isDue);
  });
}
