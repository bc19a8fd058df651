import {
  describeHolding,
  nextPayments,
  valueChart,
} from '../../../examples/connect-web/pages/portfolio.js';

const balance = (date: string, current: number | null) => ({ date, current, currency: 'USD' });
const bank = (parts: object) =>
  ({ accounts: [], liabilities: [], streams: [], ...parts }) as unknown as Parameters<
    typeof nextPayments
  >[0];

describe('The chart of the sample app', () => {
  it('places each known balance by its day and its height, and describes the ends in words', () => {
    const chart = valueChart([
      balance('2026-03-02', 100),
      balance('2026-03-03', null),
      balance('2026-03-04', 300),
      balance('2026-03-06', 200),
    ]);
    expect(chart?.line).toBe('0.0,120.0 320.0,0.0 640.0,60.0');
    expect(chart?.label).toMatch(/^Value from 2026-03-02 to 2026-03-06: from \$100.* to \$200/);
    expect(chart?.points).toHaveLength(3);
  });

  it('draws a balance that never changes as a level line', () => {
    const chart = valueChart([balance('2026-03-02', 5), balance('2026-03-03', 5)]);
    expect(chart?.line).toBe('0.0,120.0 640.0,120.0');
  });

  it.each([[[]], [[balance('2026-03-02', 5)]], [[balance('2026-03-02', null)]]])(
    'is absent without two known balances: %j',
    (balances) => {
      expect(valueChart(balances)).toBeNull();
    },
  );
});

describe('A holding in the sample app', () => {
  const held = { holding_id: 'hld_1', quantity: '2', currency: 'USD', security: undefined };
  it.each([
    [150, 100, '$50.00 gain'],
    [80, 100, '$20.00 loss'],
    [-150, -100, '$50.00 loss'],
    [100, null, 'gain unknown'],
    [null, 100, 'gain unknown'],
  ])('worth %p that cost %p has: %s', (value, cost_basis, gain) => {
    expect(describeHolding({ ...held, value, cost_basis }).gain).toBe(gain);
  });

  it.each([
    [{ symbol: 'EXTM', name: 'Example' }, 'EXTM'],
    [{ symbol: null, name: 'Example' }, 'Example'],
    [undefined, 'Unnamed security'],
  ])('of %j is named %s', (security, name) => {
    expect(describeHolding({ ...held, security, value: 1, cost_basis: 1 }).name).toBe(name);
  });
});

it('The next payments of the sample app are those of debts and streams with a known day, in order', () => {
  const stream = (key: string, direction: string, next: object | null) => ({
    stream_id: key,
    label: key,
    direction,
    amounts: { typical: 10, currency: 'USD' },
    next,
  });
  const payments = nextPayments(
    bank({
      accounts: [{ account_id: 'acc_1', name: 'Home Mortgage' }],
      liabilities: [
        { account_id: 'acc_1', currency: 'USD', next_payment: { due_on: '2026-04-01', amount: 5 } },
        { account_id: 'acc_2', currency: 'USD', next_payment: { due_on: null, amount: 5 } },
        { account_id: 'acc_3', currency: 'USD', next_payment: null },
      ],
      streams: [
        stream('Salary', 'in', { expected: '2026-04-02' }),
        stream('Rent', 'out', { expected: '2026-03-31' }),
        stream('Ended', 'out', null),
      ],
    }),
  );
  expect(payments.map(({ date, name, amount }) => [date, name, amount])).toEqual([
    ['2026-03-31', 'Rent', '-$10.00'],
    ['2026-04-01', 'Home Mortgage', '-$5.00'],
    ['2026-04-02', 'Salary', '$10.00'],
  ]);
});
