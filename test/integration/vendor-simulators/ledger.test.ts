import { Ledger } from '../../../simulators/vendors/ledger/ledger.js';
import { addMoney, negateMoney } from '../../../simulators/vendors/ledger/money.js';
import { runScript } from '../../../simulators/vendors/ledger/scripts/run-script.js';

const NOW = new Date('2026-11-25T10:00:00Z');
const CHECKING = 'trial-harbour-1';

describe('The ledger of the vendor simulators', () => {
  let ledger: Ledger;
  beforeEach(() => {
    ledger = new Ledger({ now: NOW });
  });
  const rows = () => ledger.account(CHECKING).rows;
  const idsOf = () => rows().map(({ id }) => id);

  it('is the same for the same seed and day, and different for another seed', () => {
    expect(new Ledger({ now: NOW }).data).toEqual(ledger.data);
    expect(new Ledger({ now: NOW, seed: 'other' }).data).not.toEqual(ledger.data);
  });

  it('has several banks with hundreds of rows over two years for the trial customer', () => {
    const { connections } = ledger.customer('trial');
    const accounts = connections.flatMap((connection) => connection.accounts);
    const days = accounts.flatMap((account) => account.rows.map(({ day }) => day)).sort();
    expect(connections.length).toBeGreaterThanOrEqual(2);
    expect(days.length).toBeGreaterThan(400);
    expect(days[0]?.slice(0, 7)).toBe('2024-11');
    expect(days.at(-1)).toBe('2026-11-25');
  });

  it('has running balances that lead to the current balance of every account', () => {
    for (const { connections } of ledger.data.customers) {
      for (const account of connections.flatMap((connection) => connection.accounts)) {
        const posted = account.rows.filter(({ status }) => status === 'posted');
        const sum = addMoney(account.openingBalance, ...posted.map(({ amount }) => amount));
        // An account with positions may have no rows.
        if (posted.length > 0) expect(posted.at(-1)?.runningBalance).toBe(sum);
        expect(account.balances.current).toBe(sum);
      }
    }
  });

  it('posts a pending row under another id', () => {
    const [pending] = rows().filter(({ status }) => status === 'pending');
    if (pending === undefined) throw new Error('no pending row');
    const { id, amount, day } = pending;
    runScript(ledger, 'post_pending', { account: CHECKING });
    expect(idsOf()).not.toContain(id);
    expect(rows().at(-1)).toMatchObject({ amount, day, status: 'posted' });
  });

  it('renews the ids of a block of days and of no other day', () => {
    const before = structuredClone(rows());
    runScript(ledger, 'renew_ids', { account: CHECKING, from: '2026-09-01', to: '2026-09-30' });
    const changed = before.filter(({ id }) => !idsOf().includes(id)).map(({ day }) => day);
    expect(changed.length).toBeGreaterThan(3);
    expect(changed.every((day) => day.startsWith('2026-09'))).toBe(true);
    expect(rows().map(({ id: _id, ...row }) => row)).toEqual(
      before.map(({ id: _id, ...row }) => row),
    );
  });

  it('renews all ids, of all accounts', () => {
    const before = new Set(idsOf());
    runScript(ledger, 'renew_all_ids');
    expect(idsOf().filter((id) => before.has(id))).toEqual([]);
  });

  it('adds late rows at their day, withdraws rows, and keeps exact sums', () => {
    const { current } = ledger.account(CHECKING).balances;
    runScript(ledger, 'late_row', { account: CHECKING, daysAgo: 40, amount: '0.1' });
    runScript(ledger, 'add_row', { account: CHECKING, amount: '1234567890123456789.2' });
    expect(rows().find(({ amount }) => amount === '0.1')?.day).toBe('2026-10-16');
    expect(ledger.account(CHECKING).balances.current).toBe(
      addMoney(current, '1234567890123456789.3'),
    );
    runScript(ledger, 'withdraw_row', { account: CHECKING });
    expect(ledger.account(CHECKING).balances.current).toBe(addMoney(current, '0.10'));
  });

  it('adds and negates amounts exactly', () => {
    expect(addMoney('0.1', '0.20', '-1')).toBe('-0.70');
    expect(addMoney('1234567890123456789.01', '-0.02')).toBe('1234567890123456788.99');
    expect([negateMoney('12.50'), negateMoney('-0.05'), negateMoney('0.00')]).toEqual([
      '-12.50',
      '0.05',
      '0.00',
    ]);
    expect(() => addMoney('1e3')).toThrow('not a decimal amount');
  });

  it('returns to its initial state after a reset', () => {
    const before = structuredClone(ledger.data);
    runScript(ledger, 'bank_down', { bank: 'harbour' });
    runScript(ledger, 'change_balance', { account: CHECKING, current: '7.00' });
    runScript(ledger, 'end_consent', { vendor: 'simplefin', customer: 'trial' });
    ledger.setTime(new Date('2027-01-01T00:00:00Z'));
    ledger.reset();
    expect(ledger.data).toEqual(before);
    expect(ledger.now()).toEqual(NOW);
    expect(ledger.consentNumber('simplefin', 'trial')).toBe(0);
  });

  it('refuses unknown scripts, accounts and parameters', () => {
    expect(() => runScript(ledger, 'rob_bank')).toThrow('There is no script "rob_bank"');
    expect(() => runScript(ledger, 'withdraw_row', { account: 'x' })).toThrow('account x');
    expect(() => runScript(ledger, 'add_row', { account: CHECKING, amount: '1e4' })).toThrow(
      'decimal',
    );
  });
});
