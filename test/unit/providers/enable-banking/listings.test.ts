import type { SourceFault } from '../../../../domain/refresh/source-fault.js';
import { failureOfResponse } from '../../../../providers/enable-banking/client/failure-table.js';
import type { AccountCall } from '../../../../providers/enable-banking/data/account-calls.js';
import { readAccountRows } from '../../../../providers/enable-banking/data/read-account-rows.js';
import { readRows } from '../../../../providers/enable-banking/data/read-rows.js';

const faults: SourceFault[] = [];
const note = (fault: SourceFault) => void faults.push(fault);
beforeEach(() => void faults.splice(0));
const context = { accountId: 'hash', today: '2026-11-25', scope: { account: 'hash', note } };
const malformed = { name: 'ProviderFailure', providerCause: 'malformed' };
const row = (day: string) => ({
  transaction_amount: { currency: 'EUR', amount: '1.00' },
  credit_debit_indicator: 'DBIT',
  status: 'BOOK',
  booking_date: day,
});
const page = (days: string[], key?: string | null) => ({
  transactions: days.map(row),
  continuation_key: key,
});
const wrongPeriod = () =>
  failureOfResponse({ status: 422, body: { error: 'WRONG_TRANSACTIONS_PERIOD' } });

/** Answers one call after another, with the last answer repeated forever. */
function answering(...answers: (object | Error)[]) {
  const queries: Readonly<Record<string, string>>[] = [];
  const call: AccountCall = (_resource, query = {}) => {
    const answer = answers[Math.min(queries.length, answers.length - 1)];
    queries.push(query);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { call, queries };
}

describe('The pages of a listing of Enable Banking', () => {
  const read = async (...answers: object[]) => {
    const { call, queries } = answering(...answers);
    const rows = await readRows(call, { date_from: '2026-11-01' }, context);
    return { days: rows.map(({ row: { date } }) => date), queries };
  };

  it('are read to the end, with the same query and the key of the previous page', async () => {
    const { days, queries } = await read(
      page([], 'k1'),
      page(['2026-11-20'], 'k2'),
      page([], 'k3'),
      page(['2026-11-19'], null),
    );
    expect(days).toEqual(['2026-11-20', '2026-11-19']);
    expect(queries).toEqual([
      { date_from: '2026-11-01' },
      { date_from: '2026-11-01', continuation_key: 'k1' },
      { date_from: '2026-11-01', continuation_key: 'k2' },
      { date_from: '2026-11-01', continuation_key: 'k3' },
    ]);
  });

  it.each([undefined, null, ''])('end with the continuation key %j', async (key) => {
    expect((await read(page(['2026-11-20'], key))).queries).toHaveLength(1);
  });

  it('end with a last page that repeats its own key, and each row is read once', async () => {
    const { days, queries } = await read(page(['2026-11-20'], 'k1'), page(['2026-11-19'], 'k1'));
    expect({ days, queries: queries.length }).toEqual({
      days: ['2026-11-20', '2026-11-19'],
      queries: 2,
    });
    expect(faults).toEqual([]);
  });

  const incomplete = (field: string, reason: string) => [
    { scope: 'account', account: 'hash', resource: 'page', field, reason },
  ];

  it('end when they form a loop, and the account is incomplete', async () => {
    const { days } = await read(page(['2026-11-20'], 'k1'), page([], 'k2'), page([], 'k1'));
    expect(days).toEqual(['2026-11-20']);
    expect(faults).toEqual(incomplete('continuation_key', 'repeated'));
  });

  it.each([
    ['empty ones', [], 10],
    ['ones with rows', ['2026-11-20'], 50],
  ])('are read up to a number of calls when they do not end, of %s', async (_what, days, calls) => {
    let pages = 0;
    const call: AccountCall = () => Promise.resolve(page(days, String((pages += 1))));
    expect(await readRows(call, {}, context)).toHaveLength(days.length * calls);
    expect(pages).toBe(calls);
    expect(faults).toEqual(incomplete('continuation_key', 'endless'));
  });

  it('keep the rows before a page that fails', async () => {
    const refused = failureOfResponse({ status: 422, body: { error: 'WRONG_CONTINUATION_KEY' } });
    const { call } = answering(page(['2026-11-20'], 'k1'), refused);
    expect(await readRows(call, {}, context)).toHaveLength(1);
    expect(faults).toEqual(incomplete('', 'refused'));
  });

  it('keep the rows beside one that cannot be read, and the account is incomplete', async () => {
    const broken = { ...row('2026-11-20'), transaction_amount: { currency: 'EUR', amount: '?' } };
    const { days } = await read({ transactions: [row('2026-11-20'), broken, row('2026-11-19')] });
    expect(days).toEqual(['2026-11-20', '2026-11-19']);
    expect(faults).toMatchObject([{ scope: 'row', account: 'hash', field: 'amount' }]);
  });
});

describe('The window of an account of Enable Banking', () => {
  const read = async (from: string, to: string, ...answers: (object | Error)[]) => {
    const { call, queries } = answering(...answers);
    const { rows, completeFrom } = await readAccountRows(call, { from, to }, context);
    return { days: rows.map(({ date }) => date), completeFrom, queries };
  };

  it.each([
    ['89 days up to today', '2026-08-29', '2026-11-25', { date_from: '2026-08-29' }],
    [
      '89 days in the past',
      '2026-08-29',
      '2026-11-24',
      { date_from: '2026-08-29', date_to: '2026-11-24' },
    ],
    [
      '90 days, which some banks refuse',
      '2026-08-28',
      '2026-11-25',
      { date_from: '2026-08-28', strategy: 'longest' },
    ],
  ])('of %s is requested once', async (_what, from, to, query) => {
    expect((await read(from, to, page([]))).queries).toEqual([query]);
  });

  it('holds only rows of its days, whatever the bank lists; up to today, also rows that are booked ahead', async () => {
    const listed = page(['2026-12-15', '2026-11-25', '2026-11-24', '2026-11-01', '2026-10-31']);
    expect((await read('2026-11-01', '2026-11-24', listed)).days).toEqual([
      '2026-11-24',
      '2026-11-01',
    ]);
    expect((await read('2026-11-01', '2026-11-25', listed)).days).toContain('2026-12-15');
  });

  it.each([
    ['a recent window', '2026-11-01', [page(['2026-11-20'])], '2026-11-01'],
    ['a long one from the oldest row on', '2024-11-26', [page(['2025-03-01'])], '2025-03-01'],
    ['at least 89 days of a long one', '2024-11-26', [page(['2026-11-20'])], '2026-08-29'],
    ['89 days of a long one without rows', '2024-11-26', [page([])], '2026-08-29'],
    [
      'the days from the oldest row on, after a refused period',
      '2026-11-01',
      [wrongPeriod(), page(['2026-11-20'])],
      '2026-11-20',
    ],
    ['no day known, when then there is no row', '2026-11-01', [wrongPeriod(), page([])], null],
  ])('is complete for %s', async (_what, from, answers, completeFrom) => {
    expect((await read(from, '2026-11-25', ...answers)).completeFrom).toBe(completeFrom);
  });

  it('is requested once more and no further after a refused period', async () => {
    const { call, queries } = answering(wrongPeriod());
    const window = { from: '2024-11-26', to: '2026-11-25' };
    await expect(readAccountRows(call, window, context)).rejects.toMatchObject(malformed);
    expect(queries).toEqual([
      { date_from: '2024-11-26', strategy: 'longest' },
      { strategy: 'longest' },
    ]);
  });

  it('is not requested again after another failure', async () => {
    const down = failureOfResponse({ status: 400, body: { error: 'ASPSP_ERROR' } });
    const { call, queries } = answering(down);
    const window = { from: '2026-11-01', to: '2026-11-25' };
    await expect(readAccountRows(call, window, context)).rejects.toBe(down);
    expect(queries).toHaveLength(1);
  });
});
