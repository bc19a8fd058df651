import { Decimal } from 'decimal.js';
import { lacksBalances, settledCurrent } from '../../../../domain/accounts/settle-balances.js';

const money = (amount: number | null) => (amount === null ? null : new Decimal(amount));

describe('The current balance of an account', () => {
  it.each([
    ['depository.checking', { current: 5, available: 7, limit: null }, 5],
    ['depository.checking', { current: null, available: 7, limit: null }, 7],
    ['depository.savings', { current: null, available: -7, limit: 100 }, -7],
    ['liability.credit_card', { current: null, available: 700, limit: 1_000 }, 300],
    ['liability.line_of_credit', { current: null, available: 1_100, limit: 1_000 }, -100],
    ['liability.credit_card', { current: null, available: 700, limit: null }, null],
    ['liability.credit_card', { current: 0, available: 700, limit: 1_000 }, 0],
    ['investment.brokerage', { current: null, available: 7, limit: null }, null],
    ['unknown', { current: null, available: 7, limit: 10 }, null],
    ['depository.checking', { current: null, available: null, limit: 10 }, null],
  ])('of %s with %j is %s', (accountType, { current, available, limit }, expected) => {
    const settled = settledCurrent({
      accountType,
      current: money(current),
      available: money(available),
      limit: money(limit),
    });
    expect(settled?.toNumber() ?? null).toBe(expected);
  });

  it.each([
    [{ current: 1, available: null }, 0, false],
    [{ current: null, available: null }, null, true],
    [{ current: null, available: 1 }, null, false],
    [{ current: null, available: 1 }, 0, true],
  ])('that is %j, after one of %j was known, is lacking: %s', (given, known, expected) => {
    const [current, available] = [money(given.current), money(given.available)];
    const balances = { accountType: 'liability.loan', limit: null, current, available };
    expect(lacksBalances(balances, { current: money(known) })).toBe(expected);
    expect(lacksBalances(balances, undefined)).toBe(current === null && available === null);
  });
});
