import { accountIdOf, accountsHeldBy, accountsShownTo } from '../accounts/accounts.js';
import type { CustomInvestmentTransaction } from '../customers/custom-portfolio.js';
import { derivedId, type Customer } from '../customers/customer.js';
import { isoDateOf } from '../transactions/day-number.js';
import { customSecurity } from './custom-security.js';
import type { BankInvestmentTransaction } from './bank-investment-transaction.js';

const CODE_OF = {
  buy: 'BOUGHT',
  sell: 'SOLD',
  dividend: 'DIVIDEND',
  interest: 'INTEREST',
  fee: 'FEE',
  tax: 'TAX',
  deposit: 'DEPOSIT',
  withdrawal: 'WITHDRAWAL',
  transfer: 'TRANSFERRED_IN',
  split: 'SPLIT',
  other: 'OTHER',
} as const satisfies Readonly<Record<CustomInvestmentTransaction['type'], string>>;

/** The movements of `user_custom` until a day: each appears on its date. Source: link-lifecycle 13.4. */
export function customInvestmentTransactions(
  customer: Customer,
  today: number,
): BankInvestmentTransaction[] {
  const held = accountsHeldBy(customer);
  const shown = new Set(accountsShownTo(customer).map(({ key }) => key));
  return (customer.customData?.investment_transactions ?? []).flatMap((row, index) => {
    const account = held[row.account];
    if (account === undefined || !shown.has(account.key) || row.date > isoDateOf(today)) return [];
    return [
      {
        transaction_id: derivedId('itx', customer, 'custom', String(index)),
        account_id: accountIdOf(customer, account),
        security: row.security && customSecurity(row.security, account.currency),
        code: CODE_OF[row.type],
        quantity: row.quantity,
        price: row.price,
        amount: row.amount,
        gross: row.gross,
        fees: row.fees,
        taxes: row.taxes,
        currency: row.currency ?? account.currency,
        booking_date: row.date,
        settlement_date: row.settled_on,
        status: row.pending === true ? 'PENDING' : 'BOOKED',
        description: row.description,
        cancels_transaction_id: null,
      } satisfies BankInvestmentTransaction,
    ];
  });
}
