import { readBankTransactionCode } from '../../../domain/transactions/bank-transaction-codes.js';
import { counterpartyAccount } from '../../../domain/transactions/counterparty-numbers.js';
import {
  detailsOf,
  type CounterpartyKind,
  type OriginalAmount,
} from '../../../domain/transactions/transaction-details.js';
import { readMcc } from '../../http/read-mcc.js';
import type { RemoteObject } from '../../http/remote-object.js';
import type { ProviderTransaction } from '../../contract/provider.js';

const MAX_TEXT = 500;

/** Everything that a row has beyond the fields that people read first. */
export function transactionDetails(
  row: RemoteObject,
): Pick<ProviderTransaction, 'details' | 'counterpartyNumbers' | 'bankTransactionCode'> {
  const text = (field: string) => row.plain(field, MAX_TEXT);
  const { numbers, mask } = counterpartyAccount({
    iban: text('counterparty_iban'),
    bic: text('counterparty_bic'),
    accountNumber: text('counterparty_account_number'),
    bankCode: text('counterparty_bank_code'),
  });
  return {
    counterpartyNumbers: numbers,
    bankTransactionCode: readBankTransactionCode(text('bank_transaction_code')),
    details: detailsOf({
      counterparty: { name: text('counterparty_name'), accountMask: mask, kind: kindOf(row) },
      merchant: { name: text('merchant_name'), mcc: readMcc(row, 'merchant_category_code') },
      remittance: text('remittance_text'),
      references: {
        endToEnd: text('end_to_end_id'),
        mandate: text('mandate_id'),
        creditor: text('creditor_reference'),
        checkNumber: text('check_number'),
      },
      original: originalOf(row),
      transactedAt: row.maybe('transacted_at', (it) => it.localDatetimeOrNull('transacted_at')),
    }),
  };
}

const KINDS = { PERSON: 'person', BUSINESS: 'business' } as const;

function kindOf(row: RemoteObject): CounterpartyKind | null {
  const kind = row.maybe('counterparty_kind', (it) =>
    it.oneOf('counterparty_kind', ['PERSON', 'BUSINESS'] as const),
  );
  return kind === null ? null : KINDS[kind];
}

function originalOf(row: RemoteObject): OriginalAmount | null {
  const amount = row.maybe('original_amount', (it) => it.unsigned('original_amount'));
  const currency = row.maybe('original_currency', (it) => it.currency('original_currency'));
  const rate = row.maybe('original_rate', (it) => it.unsigned('original_rate'));
  return amount === null || currency === null ? null : { amount, currency, rate };
}
