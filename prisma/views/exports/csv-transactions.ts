import type { AccountRecord } from '../../../domain/accounts/present-account.js';
import type { CsvCell } from '../../../domain/exports/csv.js';
import { amountInCurrency } from '../../../domain/transactions/amount-in-currency.js';
import { ACCOUNT_COLUMNS, accountCells, flag, number, text, type CsvTable } from './csv-table.js';
import { ExportedRows, type ExportedTransaction } from './exported-rows.js';

interface Row extends ExportedTransaction {
  account: AccountRecord | undefined;
}

const signed = (amount: string | null, { type }: Row['transaction']): CsvCell =>
  number(amount !== null && type === 'debit' && Number(amount) !== 0 ? `-${amount}` : amount);

const COLUMNS: Readonly<Record<string, (row: Row) => CsvCell>> = {
  transaction_id: ({ transaction }) => text(transaction.transaction_id),
  date: ({ transaction }) => text(transaction.date),
  datetime: ({ transaction }) => text(transaction.datetime),
  transacted_at: ({ transaction }) => text(transaction.transacted_at),
  amount: ({ amount }) => number(amount),
  type: ({ transaction }) => text(transaction.type),
  signed_amount: ({ amount, transaction }) => signed(amount, transaction),
  currency: ({ transaction }) => text(transaction.currency),
  description: ({ transaction }) => text(transaction.description),
  raw_description: ({ transaction }) => text(transaction.raw_description),
  pending: ({ transaction }) => flag(transaction.pending),
  category: ({ transaction }) => text(transaction.category),
  category_source: ({ transaction }) => text(transaction.category_source),
  counterparty_name: ({ transaction }) => text(transaction.counterparty?.['name']),
  counterparty_account_mask: ({ transaction }) => text(transaction.counterparty?.['account_mask']),
  counterparty_kind: ({ transaction }) => text(transaction.counterparty?.['kind']),
  counterparty_iban: ({ numbers }) => text(numbers?.['iban']),
  counterparty_bic: ({ numbers }) => text(numbers?.['bic']),
  counterparty_account_number: ({ numbers }) => text(numbers?.['account_number']),
  counterparty_bank_code: ({ numbers }) => text(numbers?.['bank_code']),
  merchant_name: ({ transaction }) => text(transaction.merchant?.['name']),
  merchant_mcc: ({ transaction }) => text(transaction.merchant?.['mcc']),
  remittance: ({ transaction }) => text(transaction.remittance),
  reference_end_to_end: ({ transaction }) => text(transaction.references?.['end_to_end']),
  reference_mandate: ({ transaction }) => text(transaction.references?.['mandate']),
  reference_creditor: ({ transaction }) => text(transaction.references?.['creditor']),
  reference_check_number: ({ transaction }) => text(transaction.references?.['check_number']),
  original_amount: ({ original_amount }) => number(original_amount),
  original_currency: ({ transaction }) => text(transaction.original?.currency),
  original_rate: ({ original_rate }) => number(original_rate),
  original_id: ({ transaction }) => text(transaction.original_id),
  account_currency: ({ account }) => text(account?.currency),
  account_amount: (row) => signed(amountOfAccount(row), row.transaction),
};

/** The amount in the currency of the account, for a sum over its rows; null = not known. */
function amountOfAccount({ account, amount, original_amount, transaction }: Row): string | null {
  const { currency, original } = transaction;
  if (account === undefined) return null;
  return amountInCurrency(
    {
      amount,
      currency,
      original:
        original_amount === null || original === null
          ? null
          : { amount: original_amount, currency: original.currency },
    },
    account.currency,
  );
}

/** The current transactions, each in the order in which it was last changed. */
export const TRANSACTIONS: CsvTable = {
  columns: [...ACCOUNT_COLUMNS, ...Object.keys(COLUMNS)],
  async *rows(source) {
    const columns = Object.values(COLUMNS);
    const rows = new ExportedRows(source.ctx, source.details);
    for await (const row of rows.currentTransactions(source.link.view)) {
      const { account_id: accountId } = row.transaction;
      const account = source.accounts.get(accountId);
      yield [
        ...accountCells(source, accountId),
        ...columns.map((cellOf) => cellOf({ ...row, account })),
      ];
    }
  },
};
