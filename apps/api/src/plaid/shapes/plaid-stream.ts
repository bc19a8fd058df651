import { Decimal } from 'decimal.js';
import type { IdentifiedStream } from '../../../../../domain/recurring/identified-stream.js';
import type { Interval } from '../../../../../domain/recurring/intervals.js';
import type { StreamStatus } from '../../../../../domain/recurring/stream.js';
import { personalFinanceCategory } from './category.js';
import type { Version } from './category-map.js';
import { currencyCodes } from './currency.js';
import { legacyCategory } from './legacy-category.js';
import { moneyNumber } from './money-number.js';

/** Plaid has no name for the intervals that are missing here. */
const FREQUENCIES: Partial<Record<Interval, string>> = {
  weekly: 'WEEKLY',
  biweekly: 'BIWEEKLY',
  semi_monthly: 'SEMI_MONTHLY',
  monthly: 'MONTHLY',
  annual: 'ANNUALLY',
};
const STATUSES: Record<StreamStatus, string> = {
  mature: 'MATURE',
  early: 'EARLY_DETECTION',
  ended: 'TOMBSTONED',
};

/** Source: plaid-compat 6.7. */
export function presentStream(stream: IdentifiedStream, categoryVersion: Version) {
  const { amounts, category, direction, next, status } = stream;
  const type = direction === 'in' ? 'credit' : 'debit';
  const amountOf = (text: string) => ({
    amount: moneyNumber(type === 'credit' ? new Decimal(text).negated() : text),
    ...currencyCodes(amounts.currency),
  });
  return {
    account_id: stream.accountId,
    stream_id: stream.streamId,
    ...legacyCategory(category, type),
    description: stream.description ?? stream.label ?? '',
    merchant_name: stream.merchantName,
    first_date: stream.firstDate,
    last_date: stream.lastDate,
    predicted_next_date: next?.expected ?? null,
    frequency: FREQUENCIES[stream.interval] ?? 'UNKNOWN',
    transaction_ids: stream.transactionIds,
    average_amount: amountOf(stream.average),
    last_amount: amountOf(amounts.last),
    is_active: status !== 'ended',
    status: STATUSES[status],
    personal_finance_category: personalFinanceCategory(category, type, categoryVersion),
    is_user_modified: false,
  };
}
