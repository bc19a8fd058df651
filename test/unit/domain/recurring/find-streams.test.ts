import { findStreams } from '../../../../domain/recurring/find-streams.js';
import type { RecurringRow } from '../../../../domain/recurring/recurring-row.js';
import type { Stream } from '../../../../domain/recurring/stream.js';

const TODAY = '2026-03-06';

describe('A stream', () => {
  it('of a monthly price names its rows, newest first, its day, and why it is one', () => {
    const rows = onDays(['2025-12-14', '2026-01-14', '2026-02-14'], '12.990000000000000001');
    expect(streamsOf(rows)).toEqual([
      {
        accountId: 'acc_1',
        direction: 'out',
        label: 'Reelhouse',
        description: null,
        merchantName: 'Reelhouse',
        category: null,
        interval: 'monthly',
        amounts: {
          last: '12.990000000000000001',
          typical: '12.990000000000000001',
          min: '12.990000000000000001',
          max: '12.990000000000000001',
          currency: 'EUR',
          changedOn: null,
        },
        average: '12.990000000000000001',
        firstDate: '2025-12-14',
        lastDate: '2026-02-14',
        status: 'mature',
        next: {
          expected: '2026-03-14',
          earliest: '2026-03-14',
          latest: '2026-03-14',
          amountMin: '12.990000000000000001',
          amountMax: '12.990000000000000001',
        },
        isTransfer: false,
        transactionIds: ['2026-02-14/out', '2026-01-14/out', '2025-12-14/out'],
        why: { key: 'merchant', hits: 3, gaps: 0, extras: 0, chance: 0.00002 },
      } satisfies Stream,
    ]);
  });

  it.each([
    ['weekly', every(7, 6)],
    ['biweekly', every(14, 6)],
    ['four_weekly', every(28, 6)],
    [
      'semi_monthly',
      [
        '2025-12-01',
        '2025-12-15',
        '2026-01-01',
        '2026-01-15',
        '2026-02-01',
        '2026-02-15',
        '2026-03-01',
      ],
    ],
    ['monthly', ['2025-11-30', '2025-12-31', '2026-01-31', '2026-02-28']],
    ['bimonthly', ['2025-09-05', '2025-11-05', '2026-01-05', '2026-03-05']],
    ['quarterly', ['2025-06-05', '2025-09-05', '2025-12-05', '2026-03-05']],
    ['semiannual', ['2024-09-05', '2025-03-05', '2025-09-05', '2026-03-05']],
    ['annual', ['2024-03-07', '2025-03-06', '2026-03-06']],
  ])('is called %s', (interval, days) => {
    expect(only(onDays(days, '20')).interval).toBe(interval);
  });

  it('at the end of each month is expected on the last day of the next', () => {
    const { next } = only(onDays(['2025-11-30', '2025-12-31', '2026-01-31', '2026-02-28'], '20'));
    expect(next?.expected).toBe('2026-03-31');
  });

  it('is expected within the range of days by which its rows missed their date', () => {
    const days = ['2025-10-10', '2025-11-10', '2025-12-12', '2026-01-10', '2026-02-09'];
    expect(only(onDays(days, '20')).next).toMatchObject({
      expected: '2026-03-10',
      earliest: '2026-03-09',
      latest: '2026-03-12',
    });
  });

  it('names the day of the first row with its current price', () => {
    const rows = [
      ...onDays(['2025-08-10', '2025-09-10', '2025-10-10'], '9.99'),
      ...onDays(['2025-11-10', '2025-12-10', '2026-01-10', '2026-02-10'], '12.99'),
    ];
    expect(only(rows)).toMatchObject({
      amounts: {
        last: '12.99',
        typical: '12.99',
        min: '9.99',
        max: '12.99',
        changedOn: '2025-11-10',
      },
      transactionIds: { length: 7 },
    });
  });

  it('of amounts that vary has the middle one as typical, and is expected between the extremes', () => {
    const rows = ['41', '55', '62', '48'].flatMap((amount, month) =>
      onDays([`2025-${month + 9}-10`.replace(/-(\d)-/, '-0$1-')], amount),
    );
    expect(only(rows, '2025-12-20')).toMatchObject({
      amounts: { typical: '48', last: '48', min: '41', max: '62', changedOn: null },
      next: { expected: '2026-01-10', amountMin: '41', amountMax: '62' },
    });
  });

  it('is early with two payments of a month, and mature with three', () => {
    expect(only(onDays(['2026-01-14', '2026-02-14'], '7.77')).status).toBe('early');
    expect(only(onDays(['2025-12-14', '2026-01-14', '2026-02-14'], '7.77')).status).toBe('mature');
  });

  it('has ended, without a next date, once its next date and one interval have passed', () => {
    const rows = onDays(
      ['2025-08-14', '2025-09-14', '2025-10-14', '2025-11-14', '2025-12-14', '2026-01-14'],
      '20',
    );
    expect(only(rows, '2026-03-14')).toMatchObject({
      status: 'mature',
      next: { expected: '2026-03-14' },
    });
    expect(only(rows, '2026-03-17')).toMatchObject({ status: 'ended', next: null });
  });

  it('has its next date confirmed by a pending row, which is not one of its rows', () => {
    const rows = onDays(['2025-12-14', '2026-01-14', '2026-02-14'], '20');
    const [pending] = onDays(['2026-03-13'], '21');
    const found = only([...rows, { ...must(pending), pending: true }], '2026-03-13');
    expect(found.next).toMatchObject({
      expected: '2026-03-13',
      latest: '2026-03-13',
      amountMax: '21',
    });
    expect(found.transactionIds).toHaveLength(3);
  });

  it('between two accounts of a link is a transfer', () => {
    const days = ['2025-12-14', '2026-01-14', '2026-02-14'];
    const received = onDays(days, '20', { type: 'credit', accountId: 'acc_2', merchantName: 'Me' });
    expect(streamsOf([...onDays(days, '20'), ...received])).toMatchObject([
      { isTransfer: true },
      { isTransfer: true },
    ]);
  });

  it('has no row that was returned within ten days', () => {
    const rows = onDays(['2025-12-14', '2026-01-14', '2026-02-16'], '20');
    const returned = onDays(['2026-02-14'], '20');
    const back = onDays(['2026-02-15'], '20', { type: 'credit' });
    expect(only([...rows, ...returned, ...back]).transactionIds).toEqual([
      '2026-02-16/out',
      '2026-01-14/out',
      '2025-12-14/out',
    ]);
  });

  it('is one of each currency, account and direction', () => {
    const days = ['2025-12-14', '2026-01-14', '2026-02-14'];
    const rows = [
      ...onDays(days, '20'),
      ...onDays(days, '20', { currency: 'USD', transactionId: 'usd' }),
      ...onDays(days, '30', { accountId: 'acc_2', transactionId: 'other' }),
      ...onDays(days, '31', { type: 'credit' }),
    ];
    expect(streamsOf(rows)).toHaveLength(4);
  });

  it('is not made of rows older than 730 days', () => {
    const annual = ['2025-03-06', '2026-03-06'];
    expect(only(onDays(['2024-03-06', ...annual], '20')).transactionIds).toHaveLength(3);
    expect(only(onDays(['2024-03-05', ...annual], '20')).transactionIds).toHaveLength(2);
  });

  it('is one of a short name, apart from a longer name that has it', () => {
    const market = every(13, 40).flatMap((day, at) =>
      onDays([day], String(40 + at * 7), {
        merchantName: 'Apple Orchard Farm Market Produce',
        transactionId: 'market',
      }),
    );
    const apple = monthly(['12.99', '12.99', '12.99']).map((row) => ({
      ...row,
      merchantName: 'Apple',
    }));
    expect(only([...market, ...apple]).label).toBe('Apple');
  });

  it('is not seen in payments of one price on most days', () => {
    expect(
      streamsOf(
        onDays(
          every(1, 200).filter((_, at) => at % 3 !== 1),
          '3.40',
        ),
      ),
    ).toEqual([]);
  });

  it('of amounts that vary each week is income, and not shopping', () => {
    const weekly = (type: 'debit' | 'credit') =>
      every(7, 60).flatMap((day, at) => onDays([day], String(30 + ((at * 37) % 60)), { type }));
    expect(streamsOf(weekly('debit'))).toEqual([]);
    expect(streamsOf(weekly('credit'))).toMatchObject([{ interval: 'weekly' }]);
  });

  it('is not seen in amounts of which one is more than three times another', () => {
    expect(streamsOf(monthly(['10', '95', '20', '80', '15', '60']))).toEqual([]);
    expect(streamsOf(monthly(['30', '85', '40', '80', '35', '60']))).toHaveLength(1);
  });

  it('is not seen when its days are loose and its amount is common', () => {
    const days = ['2025-12-10', '2026-01-14', '2026-02-12'];
    const common = every(3, 30).flatMap((day, at) =>
      onDays([day], '10', { merchantName: `Shop ${letters(at + 100)}`, transactionId: 'common' }),
    );
    expect(streamsOf([...onDays(days, '10'), ...common])).toEqual([]);
    expect(streamsOf(onDays(days, '10'))).toHaveLength(1);
  });

  it('of three payments is not seen among many others of its counterparty; of ten it is', () => {
    const others = every(17, 40).flatMap((day, at) =>
      onDays([day], String(200 + at * 9), { transactionId: 'shopping' }),
    );
    const three = monthly(['12.99', '12.99', '12.99']);
    expect(streamsOf([...others, ...three])).toEqual([]);
    expect(streamsOf(three)).toHaveLength(1);
    const ten = monthly(Array.from({ length: 10 }, () => '12.99'));
    expect(streamsOf([...others, ...ten])).toMatchObject([{ transactionIds: { length: 10 } }]);
  });

  it('becomes another one when its price triples', () => {
    const amounts = [...Array<string>(7).fill('9.99'), ...Array<string>(7).fill('30.99')];
    expect(streamsOf(monthly(amounts)).map(({ status }) => status)).toEqual(['mature', 'ended']);
  });

  it('whose amount changes with most payments has amounts that vary', () => {
    expect(only(monthly(['20', '20', '20', '21', '22', '23']))).toMatchObject({
      amounts: { changedOn: null, min: '20', max: '23' },
      transactionIds: { length: 6 },
    });
  });

  it('has a gap where payments are missing, however many; without most of them it is none', () => {
    const year = monthly(Array.from({ length: 14 }, () => '20'));
    const paused = year.filter((_, at) => at < 5 || at > 8);
    expect(only(paused).why).toMatchObject({ hits: 10, gaps: 1 });
    expect(streamsOf(year.filter((_, at) => at % 3 !== 1))).toEqual([]);
    expect(streamsOf(year.filter((_, at) => at < 3 || at > 10))).toEqual([]);
  });

  it('counts a row between its dates as extra, up to one in ten', () => {
    const rows = monthly(Array.from({ length: 12 }, () => '20'));
    const between = onDays(['2025-11-25', '2025-08-26'], '20', { transactionId: 'extra' });
    expect(only([...rows, ...between.slice(0, 1)]).why).toMatchObject({ hits: 12, extras: 1 });
    expect(streamsOf([...rows, ...between])).toEqual([]);
  });

  it('that has ended is shown if it had six payments', () => {
    const days = ['2025-01-10', '2025-02-10', '2025-03-10', '2025-04-10', '2025-05-10'];
    expect(streamsOf(onDays(days, '20'))).toEqual([]);
    expect(only(onDays([...days, '2025-06-10'], '20')).status).toBe('ended');
  });

  it('has another next date than that of a pending row with another amount', () => {
    const pending = { ...must(onDays(['2026-03-13'], '90')[0]), pending: true };
    expect(only([...monthly(['20', '20', '20']), pending], '2026-03-13').next).toMatchObject({
      amountMax: '20',
    });
  });

  it('has a row that is returned after ten days', () => {
    const back = onDays(['2026-02-21'], '20', { type: 'credit' });
    expect(only([...monthly(['20', '20', '20']), ...back]).transactionIds).toHaveLength(3);
  });

  it.each([
    { days: 3, isTransfer: true },
    { days: 4, isTransfer: false },
  ])('with an opposite row $days days later is a transfer: $isTransfer', ({ days, isTransfer }) => {
    const dates = ['2025-12-10', '2026-01-10', '2026-02-10'];
    const later = dates.map((date) =>
      new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10),
    );
    const received = onDays(later, '20', { type: 'credit', accountId: 'acc_2' });
    const found = streamsOf([...onDays(dates, '20'), ...received]);
    expect(found.find(({ direction }) => direction === 'out')).toMatchObject({ isTransfer });
  });

  it('joins texts that differ by a word of their form, and not those that share only a form', () => {
    const description = (name: string) => `STANDING ORDER ${name} RENT`;
    const renamed = monthly(Array.from({ length: 8 }, () => '20')).map((row, at) => ({
      ...row,
      merchantName: null,
      description: `${description('Maple Court')}${at % 2 === 0 ? ' MAY' : ' JUNE'}`,
    }));
    const other = monthly(Array.from({ length: 8 }, () => '21')).map((row) => ({
      ...row,
      transactionId: `${row.transactionId}/other`,
      merchantName: null,
      description: description('Riverside'),
    }));
    const found = streamsOf([...renamed, ...other]);
    expect(
      found.map(({ amounts, transactionIds: ids }) => [amounts.last, ids.length]).sort(),
    ).toEqual([
      ['20', 8],
      ['21', 8],
    ]);
  });

  it.each([
    ['monthly', ['2025-10-10', '2025-11-14', '2025-12-06', '2026-01-10', '2026-02-10'], 5],
    ['annual', ['2024-03-18', '2025-03-08', '2026-03-06'], 3],
    ['weekly', every(7, 5).map((day, at) => (at === 2 ? dayBefore(day) : day)), 5],
  ])('that is %s tolerates payments before or after their date', (interval, days, rows) => {
    expect(only(onDays(days, '20'))).toMatchObject({
      interval,
      status: 'mature',
      transactionIds: { length: rows },
    });
  });
});

it('finds the streams of 20,000 rows, and reads no older ones', () => {
  const many = every(1, 700).flatMap((day) =>
    Array.from({ length: 30 }, (_, at) =>
      must(
        onDays([day], String(1 + ((at * 7919 + day.length * 31) % 997)), {
          transactionId: `${day}/${at}`,
          merchantName: `Shop ${'abcdefgh'[at % 8] ?? ''}${'xyz'[at % 3] ?? ''}`,
        })[0],
      ),
    ),
  );
  const old = onDays(every(7, 100).slice(0, 6), '777', { merchantName: 'Old' });
  const labels = findStreams([...many, ...old], TODAY).map(({ label }) => label);
  expect(labels).not.toContain('Old');
  expect(findStreams([...many.slice(2000), ...old], TODAY).map(({ label }) => label)).toContain(
    'Old',
  );
});

/** Of a customer who also pays 60 others, once each. */
function streamsOf(rows: readonly RecurringRow[], today = TODAY): Stream[] {
  const others = every(11, 60).flatMap((day, at) =>
    onDays([day], String(1000 + at), {
      merchantName: letters(at),
      transactionId: 'other',
    }),
  );
  return findStreams([...others, ...rows], today);
}

function only(rows: readonly RecurringRow[], today = TODAY): Stream {
  const found = streamsOf(rows, today);
  expect(found).toHaveLength(1);
  return must(found[0]);
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('expected a value');
  return value;
}

/** Of these amounts, oldest first; the newest on 2026-02-10. */
function monthly(amounts: readonly string[]): RecurringRow[] {
  return amounts.flatMap((amount, at) => {
    const day = new Date(Date.UTC(2026, 1 - (amounts.length - 1 - at), 10));
    return onDays([day.toISOString().slice(0, 10)], amount);
  });
}

function letters(number: number): string {
  return [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
}

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
}

/** Days until the day before TODAY, oldest first. */
function every(days: number, count: number): string[] {
  return Array.from({ length: count }, (_, at) =>
    new Date(Date.parse(TODAY) - (1 + days * at) * 86_400_000).toISOString().slice(0, 10),
  ).toReversed();
}

function onDays(
  days: readonly string[],
  amount: string,
  { transactionId, ...known }: Partial<RecurringRow> = {},
): RecurringRow[] {
  return days.map((date) => ({
    transactionId: `${date}/${transactionId ?? (known.type === 'credit' ? 'in' : 'out')}`,
    accountId: 'acc_1',
    amount,
    type: 'debit',
    currency: 'EUR',
    date,
    pending: false,
    description: null,
    category: null,
    merchantName: 'Reelhouse',
    counterpartyName: null,
    counterpartyMask: null,
    mandate: null,
    creditorReference: null,
    ...known,
  }));
}
