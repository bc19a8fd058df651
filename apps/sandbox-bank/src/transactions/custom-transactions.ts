import { accountIdOf, accountsHeldBy } from '../accounts/accounts.js';
import type { BankTransaction } from './bank-transaction.js';
import type { CustomTransaction } from '../customers/custom-data.js';
import { derivedId, type Customer } from '../customers/customer.js';
import type { RowDetails } from './row-details.js';

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
        ...detailsOf(row),
      } satisfies BankTransaction,
    ].filter(isDue);
  });
}

function detailsOf(row: CustomTransaction): RowDetails {
  const { counterparty, merchant, references, original } = row;
  const numbers = counterparty?.numbers;
  const kind = counterparty?.kind ?? null;
  return {
    counterparty_name: counterparty?.name ?? null,
    counterparty_kind: kind === null ? null : KINDS[kind],
    counterparty_iban: numbers?.iban ?? null,
    counterparty_bic: numbers?.bic ?? null,
    counterparty_account_number: numbers?.account_number ?? null,
    counterparty_bank_code: numbers?.bank_code ?? null,
    merchant_name: merchant?.name ?? null,
    merchant_category_code: merchant?.mcc ?? null,
    bank_transaction_code: row.bank_transaction_code,
    remittance_text: row.remittance,
    end_to_end_id: references?.end_to_end ?? null,
    mandate_id: references?.mandate ?? null,
    creditor_reference: references?.creditor ?? null,
    check_number: references?.check_number ?? null,
    original_amount: original?.amount ?? null,
    original_currency: original?.currency ?? null,
    original_rate: original?.rate ?? null,
    transacted_at: row.transacted_at,
  };
}

const KINDS = { person: 'PERSON', business: 'BUSINESS' } as const;
