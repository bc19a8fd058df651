import { z } from 'zod';
import { CATEGORY_SOURCES } from '../../../../../domain/transactions/categorize.js';
import { ALL_CATEGORIES } from '../../../../../domain/transactions/transaction-categories.js';
import { COUNTERPARTY_KINDS, MCC } from '../../../../../domain/transactions/transaction-details.js';
import { accountId, currency, money, transactionId, unsignedMoney } from './values.model.js';

const textOrNull = (description: string) => z.string().nullable().describe(description);
const localTime = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}$/);

export const counterpartyKind = z
  .enum(COUNTERPARTY_KINDS)
  .meta({ id: 'CounterpartyKind', description: 'A person, or a business.' });
export const transactionType = z.enum(['debit', 'credit']).meta({
  id: 'TransactionType',
  description: '`debit` = money out, `credit` = money in, for every type of account.',
});

const counterparty = z
  .object({
    name: textOrNull('As the institution names it.'),
    account_mask: textOrNull('The last four characters of its account number.'),
    kind: counterpartyKind
      .nullable()
      .describe('Null unless the institution marks it; never derived from the name.'),
  })
  .meta({
    id: 'Counterparty',
    description: 'The other side of the transaction.',
    examples: [{ name: 'Riverside Rentals', account_mask: '3000', kind: 'business' }],
  });

const merchant = z
  .object({
    name: textOrNull('As the institution names it.'),
    mcc: z.string().regex(MCC).nullable().describe('ISO 18245 merchant category code.'),
  })
  .meta({
    id: 'Merchant',
    description: 'The shop of a card payment.',
    examples: [{ name: 'Corner Cafe', mcc: '5814' }],
  });

const references = z
  .object({
    end_to_end: textOrNull('The reference of the payer, which the payment carries unchanged.'),
    mandate: textOrNull('The mandate of a direct debit.'),
    creditor: textOrNull('The structured reference of the payee, as on an invoice.'),
    check_number: textOrNull('The number of a check.'),
  })
  .meta({
    id: 'PaymentReferences',
    description: 'References that systems compare.',
    examples: [
      {
        end_to_end: 'RENT-2026-03',
        mandate: null,
        creditor: 'RF18539007547034',
        check_number: null,
      },
    ],
  });

const original = z
  .object({
    amount: unsignedMoney.describe('The amount in that currency, never negative.'),
    currency: currency.describe('The currency in which it was paid.'),
    rate: money
      .nullable()
      .describe('The price of one unit of `currency` in the currency of the transaction.'),
  })
  .meta({
    id: 'OriginalAmount',
    description: 'The amount before it was converted into the currency of the transaction.',
    examples: [{ amount: 4.1, currency: 'EUR', rate: 1.0976 }],
  });

/** Source: native-api 4.6. */
export const transaction = z
  .object({
    transaction_id: transactionId,
    account_id: accountId.describe('The account of the transaction.'),
    amount: unsignedMoney.describe('Never negative; the direction is in `type`.'),
    type: transactionType,
    currency: currency.describe('The currency of the amount.'),
    date: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}T00:00:00$/)
      .describe('The posted date; for a pending row its start date.'),
    datetime: localTime
      .nullable()
      .describe('Only if the institution provides a time; in its local time.'),
    description: z.string().nullable().describe('Cleaned up for display.'),
    raw_description: z.string().nullable().describe('As provided by the institution.'),
    pending: z
      .boolean()
      .describe('Not posted yet: amount, date and texts may change, and it may vanish.'),
    category: z
      .enum(ALL_CATEGORIES)
      .meta({
        id: 'TransactionCategory',
        description:
          'A group and a category, such as `food_and_drink.groceries`. Treat an unknown category by its group.',
      })
      .nullable()
      .describe('Never guessed: null when unknown.'),
    original_id: z.string().nullable().describe('The id given at import.'),
    counterparty: counterparty
      .nullable()
      .describe('The other side; null when nothing of it is known.'),
    merchant: merchant
      .nullable()
      .describe('The shop of a card payment; null when nothing of it is known.'),
    remittance: textOrNull('The text of the payer for the payee, without the references.').meta({
      examples: ['Rent March'],
    }),
    references: references
      .nullable()
      .describe('References of the payment; null when there are none.'),
    original: original
      .nullable()
      .describe('The amount before a conversion; null when there was none.'),
    transacted_at: localTime
      .nullable()
      .describe('When it happened, in local time; midnight if only the day is known.')
      .meta({ examples: ['2026-03-01T08:12:00.000'] }),
    category_source: z
      .enum(CATEGORY_SOURCES)
      .meta({ id: 'CategorySource', description: 'Where a category comes from.' })
      .nullable()
      .describe('Where the category comes from; null when it is unknown.')
      .meta({ examples: ['merchant_category_code'] }),
  })
  .meta({ id: 'Transaction', description: 'A movement on an account.' });

/** Source: native-api 4.6. */
export const transactionNumbers = z
  .object({
    iban: textOrNull('International bank account number.'),
    bic: textOrNull('Business identifier code of the bank.'),
    account_number: textOrNull('A national account number, if there is no IBAN.'),
    bank_code: textOrNull('The national code of the bank, such as a routing number.'),
  })
  .meta({
    id: 'CounterpartyNumbers',
    examples: [
      { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', account_number: null, bank_code: null },
    ],
  });

/** The fields of a page of a list. Source: native-api 3.6. */
export const transactionPage = {
  total: z.int().describe('Rows of all pages.'),
  page: z.int().describe('This page, from 1.'),
  size: z.int().describe('Rows in this batch.'),
  transactions: z.array(transaction).describe('The rows, newest first.'),
};
