import { Decimal } from 'decimal.js';
import { z } from 'zod';
import {
  categoryOf,
  parseDayAndTime,
  maskOf,
  splitSignedAmount,
  type ImportedAccount,
  type ImportedTransaction,
} from '../../../../domain/imports/imported-data.js';
import { normalizeAccountType } from '../../../../domain/imports/normalize-account-type.js';
import { MAX_IMPORTED_ACCOUNTS, MAX_ROWS } from '../http/input/input-limits.js';
import { currencyCode } from '../schemas/currency.schema.js';
import { plainTexts } from '../schemas/plain-texts.js';
import { rows } from '../schemas/rows.schema.js';
import { text } from '../schemas/text.schema.js';
import { aliasedBy, otherNameOf, tags, webhook } from '../schemas/link-settings.schema.js';
import { detailFields } from '../schemas/transaction-details.schema.js';
import { importedDetails } from './imported-details.js';
import { customerUser } from '../schemas/customer-user.schema.js';

/** Amounts may be a number, or decimal text where a number would lose digits. */
const DECIMAL_TEXT = /^[+-]?\d{1,18}(\.\d{1,10})?$/;
const UNSIGNED_TEXT = /^\+?\d{1,18}(\.\d{1,10})?$/;
const LARGEST = 1e15;
const money = z
  .unknown()
  .transform((value, context): Decimal => {
    if (typeof value !== 'number' && typeof value !== 'string') {
      context.issues.push({
        code: 'invalid_type',
        expected: 'number',
        input: value,
        message: 'Must be a number or decimal text.',
      });
      return z.NEVER;
    }
    if (typeof value === 'number' ? Math.abs(value) < LARGEST : DECIMAL_TEXT.test(value))
      return new Decimal(value);
    context.issues.push({
      code: 'custom',
      input: value,
      message: 'Must be a decimal of at most 18 digits before the point.',
    });
    return z.NEVER;
  })
  .meta({
    id: 'DecimalInput',
    openapi: {
      anyOf: [
        { type: 'number', format: 'decimal', minimum: 1 - LARGEST, maximum: LARGEST - 1 },
        { type: 'string', pattern: DECIMAL_TEXT.source },
      ],
      description: 'A number, or decimal text.',
      examples: [12.5, '12.50'],
    },
  });

const unsignedMoney = money
  .refine((amount) => !amount.isNegative() || amount.isZero(), 'Must not be negative.')
  .meta({
    id: 'UnsignedDecimalInput',
    openapi: {
      anyOf: [
        { type: 'number', format: 'decimal', minimum: 0, maximum: LARGEST - 1 },
        { type: 'string', pattern: UNSIGNED_TEXT.source },
      ],
      description: 'A number, or decimal text, that is not negative.',
      examples: [12.5, '12.50'],
    },
  });

const moment = z
  .string()
  .refine((value) => parseDayAndTime(value) !== null, 'Must be a date or an ISO 8601 timestamp.')
  .meta({
    id: 'DayOrTimestamp',
    openapi: {
      type: 'string',
      description: 'A date or an ISO 8601 timestamp.',
      examples: ['2026-03-02', '2026-03-02T10:15:32.418Z'],
    },
  });

const idDescribed = (description: string) =>
  text(1, 200).meta({ openapi: { type: 'string', minLength: 1, maxLength: 200, description } });
const newAccount = idDescribed('Unique in the import.');
const accountOfImport = idDescribed('Of an account of the same import.');

const balances = z
  .object({
    currency: currencyCode.describe('The currency of the amounts.'),
    available: money.nullish().describe('What can be spent now.'),
    current: money
      .nullish()
      .describe('The booked balance; on `liability.*` accounts the amount owed.'),
    limit: money.nullish().describe('The credit limit or the permitted overdraft.'),
    balance_date: moment.nullish().describe('The time of the balance.'),
  })
  .meta({ id: 'ImportedBalances', description: 'The balances of an account.' });

const account = z
  .object({
    account_id: newAccount,
    name: text(1, 200).describe('The name of the account.'),
    type: text(1, 100).describe('A type in your words, which is mapped to one of ours.'),
    balances: balances.describe('The balances.'),
    nickname: text(1, 200).nullish().describe('The name that its customer gave it.'),
    mask: text(1, 64)
      .nullish()
      .describe('Trailing digits of the number; they help to find the account at the bank later.'),
  })
  .superRefine(plainTexts)
  .meta({ id: 'ImportedAccount', description: 'An account of an import.' })
  .transform(
    ({
      account_id: originalId,
      name,
      type,
      nickname,
      mask,
      balances: { currency, available, current, limit, balance_date: balanceDate },
    }): ImportedAccount => ({
      originalId,
      name,
      currency,
      accountType: normalizeAccountType(type),
      nickname: nickname ?? null,
      mask: maskOf(mask ?? null),
      available: available ?? null,
      current: current ?? null,
      limit: limit ?? null,
      balanceDate:
        balanceDate === null || balanceDate === undefined ? null : instantOf(balanceDate),
    }),
  );

const transaction = z
  .object({
    account_id: accountOfImport,
    amount: money.describe('Positive = money in, negative = money out.'),
    date: moment.describe('The day, or the time, of the transaction.'),
    transaction_id: text(1, 200)
      .nullish()
      .describe(
        'Your id of it, which `original_id` returns. Unique within the account and the import.',
      ),
    description: text(0, 500).nullish().describe('The text to display.'),
    type: text(0, 200)
      .nullish()
      .describe('A category in your words, which is mapped to one of ours.'),
    ...detailFields('OriginalAmountInput', unsignedMoney, moment),
  })
  .superRefine(plainTexts)
  .meta({ id: 'ImportedTransaction', description: 'A transaction of an import.' })
  .transform(
    ({
      account_id: accountOriginalId,
      amount,
      date,
      transaction_id: originalId,
      description,
      type,
      ...details
    }): ImportedTransaction => ({
      accountOriginalId,
      originalId: originalId ?? null,
      ...splitSignedAmount(amount),
      ...(parseDayAndTime(date) ?? { date: '', datetime: null }),
      description: description === undefined || description === '' ? null : description,
      category: categoryOf(type ?? null),
      ...importedDetails(details),
    }),
  );

const link = z.preprocess(
  aliasedBy({ tags: 'link_tags' }),
  z
    .object({
      customer_user: customerUser.describe('The user who owns the link.'),
      institution_id: text(1, 200).describe(
        'The institution: our id of it, or `provider.id` with the id of a provider.',
      ),
      provider: text(1, 64)
        .nullish()
        .describe(
          'The provider that is to refresh the link once its owner signs in; `import` or missing = none.',
        ),
      accounts: rows(account, {
        min: 1,
        max: MAX_IMPORTED_ACCOUNTS,
        tooFew: 'Must hold at least one account.',
      }).describe('The accounts.'),
      transactions: rows(transaction, { min: 0, max: MAX_ROWS })
        .default([])
        .describe('The transactions of these accounts.'),
      webhook: webhook.optional().describe('The address for the webhooks of the link.'),
      tags: tags.optional().describe('Labels for the link.'),
      link_tags: tags.optional().describe(otherNameOf('tags')),
    })
    .transform(({ link_tags: linkTags, ...given }) => ({
      ...given,
      tags: given.tags ?? linkTags ?? [],
    })),
);

/** Source: native-api 4.9. `CheckImport` checks fields against each other. */
export const ImportLinkRequest = { body: link };
export type ImportLinkBody = z.output<typeof link>;

export const ImportTransactionsRequest = {
  body: z.object({
    transactions: rows(transaction, {
      min: 1,
      max: MAX_ROWS,
      tooFew: 'Must hold at least one transaction.',
    }).describe('The transactions to add.'),
  }),
};

/** A timestamp without an offset is UTC, as everywhere in this API. */
function instantOf(written: string): Date {
  const hasOffset = /(Z|[+-]\d{2}:?\d{2})$/.test(written.slice(10));
  return new Date(
    written.length === 10
      ? `${written}T00:00:00Z`
      : `${written.replace(' ', 'T')}${hasOffset ? '' : 'Z'}`,
  );
}
