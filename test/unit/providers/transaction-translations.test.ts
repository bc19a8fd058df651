import { addDays } from '../../../domain/api/timestamps.js';
import { toTransaction } from '../../../providers/sandbox/data/fetch-transactions.js';
import { collectFaults, failureOf, faults, MALFORMED, scope } from './support/sandbox-faults.js';

collectFaults();

const remoteRow = {
  transaction_id: 'tx_1',
  account_id: 'acct_1',
  direction: 'OUT',
  amount: '4.50',
  currency: 'USD',
  booking_date: '2026-03-01',
  local_datetime: '2026-03-01T08:12:00.000',
  status: 'PENDING',
  description: 'Corner Cafe',
  statement_text: 'POS 0301 CORNER CAFE MILLBROOK OH',
  category: 'food_and_drink.coffee_shops',
};
const listed = (fields: object = {}) =>
  toTransaction({ ...remoteRow, ...fields }, { today: '2026-03-02', scope });
function row(fields: object = {}) {
  const read = listed(fields);
  if (read === null) throw new Error('expected a transaction');
  return read;
}

describe('A transaction of the sandbox bank', () => {
  it('is translated field by field', () => {
    const { amount, details: _details, ...translation } = row();
    expect(amount.toFixed(2)).toBe('4.50');
    expect(translation).toEqual({
      providerTransactionId: 'tx_1',
      providerAccountId: 'acct_1',
      type: 'debit',
      currency: 'USD',
      date: '2026-03-01',
      datetime: '2026-03-01T08:12:00.000',
      description: 'Corner Cafe',
      rawDescription: 'POS 0301 CORNER CAFE MILLBROOK OH',
      pending: true,
      category: 'food_and_drink.coffee_shops',
      counterpartyNumbers: null,
      bankTransactionCode: null,
    });
    expect(faults).toEqual([]);
  });

  it('is a credit when money arrives, and not pending when it is booked', () => {
    expect(row({ direction: 'IN', status: 'BOOKED' })).toMatchObject({
      type: 'credit',
      pending: false,
    });
  });

  it.each([[null], ['food_and_drink.caviar'], ['__proto__.other']])(
    'has no category for %j',
    (category) => {
      expect(row({ category }).category).toBeNull();
    },
  );

  it.each([
    ['-4.50', '4.5'],
    ['-0.00', '0'],
    [4.5, '4.5'],
  ])('with the amount %j beside its direction has the amount %s', (amount, read) => {
    expect(row({ amount }).amount.toFixed()).toBe(read);
  });

  it('on 30 February is on the last day of that month', () => {
    expect(row({ booking_date: '2026-02-30', local_datetime: null }).date).toBe('2026-02-28');
  });

  it.each([2, 20])(
    'that is booked %i days ahead is kept, on the day of the purchase if it has one',
    (days) => {
      const booking_date = addDays('2026-03-02', days);
      expect(row({ booking_date, status: 'BOOKED' }).date).toBe(booking_date);
      expect(
        row({ booking_date, status: 'BOOKED', transacted_at: '2026-03-01T08:12:00.000' }).date,
      ).toBe('2026-03-01');
    },
  );

  it.each(['SCHEDULED', 'Cancelled', 'rejected'])(
    'with the status %s is not a transaction',
    (status) => {
      expect(listed({ status })).toBeNull();
    },
  );

  it('has no control characters in its text', () => {
    expect(row({ description: 'a\u0000b' }).description).toBe('a b');
    expect(row({ statement_text: 'x'.repeat(5000) }).rawDescription).toHaveLength(500);
    expect(faults).toEqual([]);
  });

  it('has no time on another day than its own', () => {
    expect(row({ local_datetime: '2026-03-02T08:12:00.000' }).datetime).toBeNull();
  });

  it.each<[string, object, object, string]>([
    [
      'a time that does not exist',
      { local_datetime: '2026-03-01T25:12:00.000' },
      { datetime: null },
      'local_datetime',
    ],
    ['an unknown status', { status: 'MAYBE' }, { pending: false }, 'status'],
    ['a description that is a number', { description: 7 }, { description: null }, 'description'],
  ])('with %s is kept without it, and reports it', (_, change, kept, field) => {
    expect(row(change)).toMatchObject(kept);
    expect(faults).toMatchObject([{ scope: 'value', account: 'acct_1', field }]);
  });

  it.each([
    ['an amount in words', { amount: 'NaN' }],
    ['no direction', { direction: 'SIDEWAYS' }],
    ['no day', { booking_date: null, status: 'BOOKED' }],
    ['no id', { transaction_id: '' }],
    ['no currency', { currency: 'dollars' }],
  ])('is malformed with %s', (_, change) => {
    expect(failureOf(() => row(change))).toEqual(MALFORMED);
  });
});
