// cspell:ignoreRegExp /\b[A-Z]{4,}\b/g
import { Decimal } from 'decimal.js';
import { Exact } from '../../../../domain/investments/exact-decimal.js';
import type { FetchedInvestmentTransaction } from '../../../../domain/investments/fetched-investment-transaction.js';
import { Unreadable, type ReadScope } from '../../../http/read-scope.js';
import { RemoteObject } from '../../../http/remote-object.js';
import { readStatus } from '../../../rules/row-status.js';
import { dayOfRow } from '../../../rules/row-day.js';
import { momentOf } from '../moment.js';
import { optionalDay, optionalFigure, optionalSize, optionalWord } from '../optional-fields.js';
import { securityOfTransaction } from './to-security.js';
import { directionsOf, memoOf, type Memo } from './transaction-directions.js';
import { positionChange } from './transaction-quantity.js';
import {
  DIVIDEND_SUBTYPES,
  OTHER,
  PAYMENT_RULES,
  PAYMENTS,
  RULES,
  TAX,
  type Direction,
  type TransactionRule,
} from './transaction-types.js';

const MAX_TEXT = 500;
const MAX_ID = 256;

export interface TradeContext {
  accountId: string;
  currency: string;
  /** The day of a pending row without a day of its own. */
  today: string;
  scope: ReadScope;
}

/**
 * Translates a row of an investment account: its type decides which way money and units move, else
 * the direction that the row states. Its day is that of the trade. Signs that contradict the type
 * are kept for the core to correct, which also computes missing amounts (complete-trade.ts).
 * @returns null for a row that did not happen (yet)
 * @throws Unreadable without an id or any day
 */
export function toInvestmentTransaction(
  value: unknown,
  { accountId, currency, today, scope }: TradeContext,
): FetchedInvestmentTransaction | null {
  const row = new RemoteObject(value, 'investment_transaction', scope);
  const status = readStatus(row, 'status');
  if (status === 'none') return null;
  const pending = status === 'pending';
  const id = `${accountId}/${row.text('transactionId', { max: MAX_ID })}`;
  const reference = optionalWord(row, 'referenceTransactionId', MAX_ID);
  const cancels = reference === null ? null : `${accountId}/${reference}`;
  const sourceCode = optionalWord(row, 'transactionType');
  const sent = optionalFigure(row, 'amount');
  const fees = sumOf(row, FEES);
  const taxes = sumOf(row, TAXES);
  const memo = memoOf(row);
  const rule = ruleOf(row, sourceCode, { memo, sent, fees, taxes });
  const change = positionChange(row, rule);
  const directions = directionsOf(row, rule, {
    memo,
    change,
    sent,
    isCorrection: cancels !== null,
  });
  return {
    providerTransactionId: id,
    providerAccountId: accountId,
    security: securityOfTransaction(row, currency),
    type: rule.type,
    subtype: subtypeOf(row, rule),
    sourceCode,
    quantity: signed(change?.size ?? null, directions.position),
    price: optionalSize(row, 'unitPrice') ?? optionalSize(row, 'price'),
    amount: amountOf(row, rule, { sent, taxes, direction: directions.cash }),
    gross: sent?.abs() ?? null,
    fees,
    taxes,
    currency,
    ...timesOf(row, { pending, today }),
    settledOn: optionalDay(row, 'settlementTimestamp'),
    description: row.plain('description', MAX_TEXT) ?? row.plain('memo', MAX_TEXT),
    pending,
    cancels: cancels === id ? null : cancels,
    // `transactions` has the rows that state a direction.
    cashTransactionId: memo !== null && memo !== 'none' && sent !== null ? id : null,
  };
}

const FEES = ['commission', 'fees', 'load', 'markup'];
const TAXES = ['taxes', 'withholding', 'stateWithholding'];

/** Null if the row states none of them. */
function sumOf(row: RemoteObject, fields: readonly string[]): Decimal | null {
  const sizes = fields.map((field) => optionalSize(row, field)).filter((size) => size !== null);
  return sizes.length === 0
    ? null
    : new Decimal(sizes.reduce((sum, size) => sum.plus(size), new Exact(0)));
}

function ruleOf(
  row: RemoteObject,
  word: string | null,
  { memo, sent, fees, taxes }: { memo: Memo } & Record<'sent' | 'fees' | 'taxes', Decimal | null>,
): TransactionRule {
  if (word !== null && PAYMENTS.has(word))
    return memo === null || memo === 'none' ? OTHER : PAYMENT_RULES[memo];
  const rule = row.maybe('transactionType', () => knownRule(word)) ?? OTHER;
  const isOfTaxes =
    taxes?.gt(0) === true &&
    (fees?.isZero() ?? true) &&
    (sent === null || sent.isZero() || sent.abs().equals(taxes));
  const mayBeTax = rule === OTHER || rule.type === 'fee';
  return isOfTaxes && mayBeTax ? TAX : rule;
}

function knownRule(word: string | null): TransactionRule | null {
  if (word === null) return null;
  const known = Object.hasOwn(RULES, word) ? RULES[word] : undefined;
  if (known !== undefined) return known;
  throw new Unreadable('investment_transaction', 'transactionType', 'impossible', 'a known type');
}

function subtypeOf(row: RemoteObject, { type, subtype }: TransactionRule): string | null {
  if (type !== 'dividend') return subtype;
  const income = optionalWord(row, 'incomeType') ?? '';
  return Object.hasOwn(DIVIDEND_SUBTYPES, income) ? (DIVIDEND_SUBTYPES[income] ?? null) : subtype;
}

/** The change of cash; null = none moved, or it is unknown. */
function amountOf(
  row: RemoteObject,
  rule: TransactionRule,
  {
    sent,
    taxes,
    direction,
  }: { sent: Decimal | null; taxes: Decimal | null; direction: Direction | null },
): Decimal | null {
  if (rule.cash === 'reinvested') return new Decimal(0);
  if (rule.type === 'split') return signed(optionalFigure(row, 'fractionalCash'), direction);
  if (rule === TAX && sent?.isZero() !== false) return signed(taxes, direction);
  return signed(sent, direction);
}

function signed(size: Decimal | null, direction: Direction | null): Decimal | null {
  if (size === null || direction === null) return null;
  return direction === 'in' || size.isZero() ? size.abs() : size.abs().negated();
}

/** The day of the trade; a row that states only when it posted has that day. */
function timesOf(
  row: RemoteObject,
  { pending, today }: { pending: boolean; today: string },
): Pick<FetchedInvestmentTransaction, 'date' | 'datetime'> {
  const moments = ['transactionTimestamp', 'postedTimestamp'].map((field) =>
    row.maybe(field, (it) => momentOf(it, field)),
  );
  const date = dayOfRow(
    moments.map((moment) => moment?.day ?? null),
    { pending, today },
  );
  if (date === null)
    throw new Unreadable('investment_transaction', 'transactionTimestamp', 'missing', 'a time');
  return { date, datetime: moments.find((moment) => moment?.day === date)?.local ?? null };
}
