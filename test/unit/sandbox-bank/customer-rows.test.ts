import fc from 'fast-check';
import { CustomData } from '../../../simulators/sandbox-bank/customers/custom-data.js';
import type { Customer } from '../../../simulators/sandbox-bank/customers/customer.js';
import { dayNumberOf } from '../../../simulators/sandbox-bank/transactions/day-number.js';
import { dynamicTransactions } from '../../../simulators/sandbox-bank/transactions/dynamic-transactions.js';
import { historyAt } from '../../../simulators/sandbox-bank/transactions/day-number.js';
import { transactionPage } from '../../../simulators/sandbox-bank/transactions/transaction-page.js';
import { customerOf, NOW } from './support/customers.js';

describe('The rows of a customer', () => {
  const DAY_MS = 86_400_000;
  const DAY_OR_TIME = /^\d{4}-\d\d-\d\d(T[\d:.]+)?$/;
  const moments = fc.date({
    min: new Date('2000-01-01T00:00:00Z'),
    max: new Date('2100-01-01T00:00:00Z'),
    noInvalidDate: true,
  });
  const rowsAt = (customer: Customer, fetches: readonly Date[]) => {
    const now = fetches.at(-1) ?? NOW;
    const fetchDays = fetches.map(dayNumberOf);
    return transactionPage(
      customer,
      { ...historyAt(now), size: 1_000, after: null, fetchDays },
      now,
    ).transactions;
  };

  it.each(['user_good', 'user_dynamic', 'user_custom'])(
    'of %s have no date or time after now in any member, at any time of any day',
    (userName) => {
      fc.assert(
        fc.property(
          moments,
          fc.uuid(),
          fc.array(fc.nat({ max: DAY_MS }), { maxLength: 3 }),
          fc.array(fc.integer({ min: -2 * DAY_MS, max: 2 * DAY_MS }), { maxLength: 5 }),
          (first, worldSeed, pauses, offsets) => {
            const fetches = pauses.reduce(
              (made, pause) => [...made, new Date((made.at(-1) ?? first).getTime() + pause)],
              [first],
            );
            const now = (fetches.at(-1) ?? first).toISOString();
            const transactions = offsets
              .map((offset) => new Date(Date.parse(now) + offset).toISOString())
              .map((at) => ({
                account: 0,
                date: at.slice(0, 10),
                datetime: at.slice(0, 19),
                amount: 1,
                type: 'debit',
              }));
            const accounts = [
              { account_type: 'depository.checking', name: 'Everyday', account_number: '1' },
            ];
            const customData = CustomData.parse({ accounts, transactions });
            const customer = customerOf(userName, { worldSeed, customData });
            const later = rowsAt(customer, fetches).filter((row) =>
              Object.values(row).some(
                (value) =>
                  DAY_OR_TIME.test(String(value)) &&
                  String(value) > now.slice(0, String(value).length),
              ),
            );
            expect(later).toEqual([]);
          },
        ),
        { numRuns: process.env['LONG_RUNS'] ? 100 : 30 },
      );
    },
  );

  it('of user_custom appear at their time', () => {
    const at = (time: string) => ({
      account: 0,
      date: time.slice(0, 10),
      datetime: time,
      amount: 1,
      type: 'debit',
    });
    const customData = CustomData.parse({
      accounts: [{ account_type: 'depository.checking', name: 'Everyday', account_number: '1' }],
      transactions: ['2026-03-02T14:59:59', '2026-03-02T15:00:00', '2026-03-02T15:00:01'].map(at),
    });
    const customer = customerOf('user_custom', { customData });
    expect(rowsAt(customer, [NOW])).toHaveLength(2);
    expect(rowsAt(customer, [new Date(NOW.getTime() + 1_000)])).toHaveLength(3);
  });
});

describe('The rows of user_dynamic', () => {
  const customer = customerOf('user_dynamic');
  const days = (fetches: number) => Array.from({ length: fetches }, () => 20_514);

  it('are 10 posted and 2 pending in the first fetch', () => {
    const statuses = dynamicTransactions(customer, days(1)).map(({ status }) => status);
    expect(statuses).toHaveLength(12);
    expect(statuses.filter((status) => status === 'PENDING')).toHaveLength(2);
  });

  it('change by 2 created, 3 updated and 1 removed in every later fetch', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 40 }),
        (steps) => {
          const fetchDays = steps.reduce(
            (list, step) => [...list, (list.at(-1) ?? 0) + step],
            [20_514],
          );
          const before = new Map(
            dynamicTransactions(customer, fetchDays.slice(0, -1)).map((row) => [
              row.transaction_id,
              row,
            ]),
          );
          const after = new Map(
            dynamicTransactions(customer, fetchDays).map((row) => [row.transaction_id, row]),
          );
          const created = [...after.values()].filter((row) => !before.has(row.transaction_id));
          const removed = [...before.values()].filter((row) => !after.has(row.transaction_id));
          const updated = [...after.values()].filter((row) => {
            const old = before.get(row.transaction_id);
            return old !== undefined && JSON.stringify(old) !== JSON.stringify(row);
          });
          expect({
            created: created.length,
            updated: updated.length,
            removed: removed.length,
          }).toEqual({ created: 2, updated: 3, removed: 1 });
          expect(created.every(({ status }) => status === 'PENDING')).toBe(true);
          const wasPending = (id: string) => before.get(id)?.status === 'PENDING';
          const settled = updated.filter(({ transaction_id }) => wasPending(transaction_id));
          expect(settled.map(({ status }) => status)).toEqual(['BOOKED', 'BOOKED']);
          const [raised] = updated.filter(({ transaction_id }) => !wasPending(transaction_id));
          const old = before.get(raised?.transaction_id ?? '');
          expect(Number(raised?.amount) - Number(old?.amount)).toBeCloseTo(1, 6);
          const posted = [...before.values()]
            .filter(({ status }) => status === 'BOOKED')
            .map(({ booking_date }) => booking_date)
            .sort();
          expect(old?.booking_date).toBe(posted.at(-1));
          expect(removed[0]?.booking_date).toBe(posted[0]);
        },
      ),
      { numRuns: 60 },
    );
  });
});
