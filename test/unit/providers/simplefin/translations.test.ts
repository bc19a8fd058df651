import type { SourceFault } from '../../../../domain/refresh/source-fault.js';
import { RemoteObject } from '../../../../providers/http/remote-object.js';
import { toAccount } from '../../../../providers/simplefin/data/fetch-accounts.js';
import { accountTypeOf, maskOf } from '../../../../providers/simplefin/data/account-type.js';
import { splitWindow } from '../../../../providers/simplefin/data/split-window.js';
import { toTransaction } from '../../../../providers/simplefin/data/to-transaction.js';
import { accountFacts } from '../../../support/fixtures/account-facts.js';

const NOON = Date.parse('2026-03-02T12:00:00Z') / 1_000;
const faults: SourceFault[] = [];
const scope = { account: 'ACT-1', note: (fault: SourceFault) => void faults.push(fault) };
const context = { accountId: 'ACT-1', currency: 'USD', today: '2026-03-04', scope };
beforeEach(() => void faults.splice(0));
const row = (fields: object = {}) =>
  toTransaction(
    { id: 'TRN-1', posted: NOON, amount: '-12.50', description: 'SHOP 42', ...fields },
    context,
  );
const account = (fields: object = {}, known?: ReturnType<typeof accountFacts>) => {
  const remote = {
    id: 'ACT-1',
    name: 'Everyday Checking (1234)',
    currency: 'USD',
    balance: '100.23',
    'balance-date': NOON,
    ...fields,
  };
  const listed = {
    id: 'ACT-1',
    connectionId: null,
    remote: new RemoteObject(remote, 'account', scope),
    scope,
  };
  return toAccount(listed, listed.remote.plain('name', 200), known);
};
const malformed = expect.objectContaining({ providerCause: 'malformed' });

describe('A row of SimpleFIN', () => {
  it('keeps amount, direction, day and texts', () => {
    const {
      amount,
      details: _details,
      ...others
    } = row({ payee: 'Shop', transacted_at: NOON - 86_400 });
    expect(amount.toFixed()).toBe('12.5');
    expect(others).toEqual({
      providerTransactionId: 'ACT-1/TRN-1',
      providerAccountId: 'ACT-1',
      type: 'debit',
      currency: 'USD',
      date: '2026-03-02',
      datetime: null,
      description: 'Shop',
      rawDescription: 'SHOP 42',
      pending: false,
      category: null,
    });
  });

  it.each([
    ['positive', '12.50', 'credit', '12.5'],
    ['negative', '-12.50', 'debit', '12.5'],
    ['zero', '0', 'credit', '0'],
    ['negative zero', '-0.00', 'credit', '0'],
    ['19 digits', '1234567890123456789', 'credit', '1234567890123456789'],
    ['19 digits with a point', '-12345678901234567.89', 'debit', '12345678901234567.89'],
    ['a fraction that binary numbers lack', '0.1', 'credit', '0.1'],
  ])('with a %s amount is exact', (_what, text, type, amount) => {
    const translated = row({ amount: text });
    expect({ type: translated.type, amount: translated.amount.toFixed() }).toEqual({
      type,
      amount,
    });
  });

  it('has amounts that add up without rounding', () => {
    expect(
      row({ amount: '0.1' })
        .amount.plus(row({ amount: '0.2' }).amount)
        .toFixed(),
    ).toBe('0.3');
  });

  it.each(['1e400', '1e2', 'NaN', 'Infinity', '', '1,000.00', '.5', '+5', '0x10', 1e300, null])(
    'with the amount %j is malformed',
    (amount) => {
      expect(() => row({ amount })).toThrow(malformed);
    },
  );

  it.each([
    ['posted 0', { posted: 0, transacted_at: NOON }, true, '2026-03-02'],
    ['posted 0 and no other day', { posted: 0 }, true, '2026-03-04'],
    ['a day and marked as pending', { pending: true }, true, '2026-03-02'],
    ['a day and marked as posted', { pending: false }, false, '2026-03-02'],
  ])('with %s is pending or posted on the right day', (_what, fields, pending, date) => {
    expect(row(fields)).toMatchObject({ pending, date });
  });

  it('may have an empty description, and a long one is cut', () => {
    expect(row({ description: '' })).toMatchObject({ description: null, rawDescription: null });
    expect(row({ description: 'x'.repeat(2_000) }).rawDescription).toHaveLength(500);
  });

  it.each([{ posted: -1 }, { posted: 1.5 }, { posted: NOON * 1_000 }])(
    'without any readable day, as with %j, is unreadable',
    (fields) => {
      expect(() => row(fields)).toThrow(malformed);
    },
  );

  it.each([
    ['an amount that is a number', { amount: -12.5 }, { type: 'debit' }, []],
    ['digits for a time', { posted: String(NOON) }, { date: '2026-03-02', pending: false }, []],
    ['no id', { id: '' }, { date: '2026-03-02' }, ['id wrong_type']],
    ['a word for a mark', { pending: 'yes' }, { pending: false }, ['pending wrong_type']],
    ['a number for text', { description: 7 }, { rawDescription: null }, ['description wrong_type']],
    [
      'a wrong time beside another',
      { posted: -1, transacted_at: NOON },
      { date: '2026-03-02' },
      ['posted wrong_type'],
    ],
    [
      'NUL and half a pair in its text',
      { description: 'A\u0000B\ud83d' },
      { description: 'A B' },
      [],
    ],
  ])('with %s keeps the other readable data, and notes the rest', (_what, fields, kept, noted) => {
    expect(row(fields)).toMatchObject(kept);
    expect(faults.map(({ field, reason }) => `${field} ${reason}`)).toEqual(noted);
    expect(faults.every((fault) => fault.scope === 'value')).toBe(true);
  });

  it('without an id has one derived from its content', () => {
    const ids = [row({ id: '' }), row({ id: 7 }), row({ id: '', amount: '1' })].map(
      ({ providerTransactionId: id }) => id,
    );
    expect({ sameAsSecond: ids[0] === ids[1], sameAsThird: ids[0] === ids[2] }).toEqual({
      sameAsSecond: true,
      sameAsThird: false,
    });
  });
});

describe('An account of SimpleFIN', () => {
  it('keeps its balance, and omitted data is unknown', () => {
    const translated = account();
    expect(translated).toMatchObject({
      providerAccountId: 'ACT-1',
      accountType: 'depository.checking',
      mask: '1234',
      currency: 'USD',
      available: null,
      limit: null,
      balanceDate: new Date('2026-03-02T12:00:00Z'),
    });
    expect(translated?.current?.toFixed()).toBe('100.23');
    expect(account({ 'balance-date': 0 })?.balanceDate).toBeNull();
    expect(account({ 'available-balance': '75.23' })?.available?.toFixed()).toBe('75.23');
  });

  it('owes a positive amount on a card', () => {
    const card = account({ name: 'Rewards Card (0042)', balance: '-240.10' });
    expect(card?.accountType).toBe('liability.credit_card');
    expect(card?.current?.toFixed()).toBe('240.1');
  });

  it('is skipped if it is not in a currency', () => {
    expect(account({ currency: 'https://bank.example/miles' })).toBeNull();
  });

  it.each([{ currency: 'us' }, { currency: '' }, { currency: 'ftp://bank.example/miles' }])(
    'with %j is unreadable: its rows have no currency',
    (fields) => {
      expect(() => account(fields)).toThrow(malformed);
    },
  );

  it.each([
    ['balance', { balance: '1e400' }, { current: null }],
    ['available-balance', { 'available-balance': 'much' }, { available: null }],
    ['balance-date', { 'balance-date': '2026-03-02' }, { balanceDate: null }],
    ['name', { name: 7 }, { name: 'Account', accountType: 'unknown' }],
  ])('whose %s cannot be read is kept without it', (field, fields, kept) => {
    expect(account(fields)).toMatchObject(kept);
    expect(faults.map((fault) => [fault.scope, fault.account, fault.field])).toEqual([
      ['value', 'ACT-1', field],
    ]);
  });

  it('owes a mortgage with either sign', () => {
    for (const balance of ['100000.00', '-100000.00'])
      expect(account({ name: 'Home Mortgage', balance })?.current?.toFixed()).toBe('100000');
  });

  const extra = (type: string) => ({ extra: { account_type: type } });

  it.each([
    ['renamed, with no word of a type', { name: 'For travel' }, 'liability.credit_card', '240.1'],
    ['renamed after another type', { name: 'Savings for us' }, 'liability.credit_card', '240.1'],
    ['without a name', { name: '' }, 'liability.credit_card', '240.1'],
    ['stated as unknown', extra('unknown'), 'liability.credit_card', '240.1'],
    ['stated as another type', extra('depository.savings'), 'depository.savings', '-240.1'],
  ] as const)(
    'that was a card and is %s keeps type and sign unless one is stated',
    (_what, fields, type, current) => {
      const read = account(
        { balance: '-240.10', ...fields },
        accountFacts('liability.credit_card'),
      );
      expect([read?.accountType, read?.current?.toFixed()]).toEqual([type, current]);
    },
  );

  it('that was unknown takes the type that its name suggests', () => {
    expect(account({ name: 'Visa', balance: '-1' }, accountFacts('unknown'))).toMatchObject({
      accountType: 'liability.credit_card',
    });
  });

  it('that was a mortgage and is renamed owes it with either sign', () => {
    for (const balance of ['100000.00', '-100000.00'])
      expect(
        account({ name: 'House', balance }, accountFacts('liability.mortgage'))?.current?.toFixed(),
      ).toBe('100000');
  });

  it('without a balance has none, which is noted', () => {
    expect(account({ balance: null })?.current).toBeNull();
    expect(faults).toMatchObject([
      { scope: 'value', account: 'ACT-1', field: 'balance', reason: 'missing' },
    ]);
  });

  it.each([
    ['Everyday Checking', 'depository.checking'],
    ['Share Draft', 'depository.checking'],
    ['High Yield Savings', 'depository.savings'],
    ['Platinum Visa', 'liability.credit_card'],
    ['Car Loan', 'liability.loan'],
    ['Home Mortgage Loan', 'liability.mortgage'],
    ['Roth IRA', 'investment.retirement'],
    ['401(k)', 'investment.retirement'],
    ['12 Month CD', 'depository.cd'],
    ['Debit Card', 'unknown'],
    ['Girokonto', 'unknown'],
    ['Cardinal', 'unknown'],
  ])('named %s is %s', (name, type) => {
    expect(accountTypeOf(name)).toBe(type);
  });

  it.each([
    ['Checking (1234)', '1234'],
    ['Checking (xxxx1234)', '1234'],
    ['Checking (...1234) ', '1234'],
    ['Checking 1234', null],
    ['Checking (12345)', null],
    ['Checking (1234) old', null],
  ])('named %j has the mask %j', (name, mask) => {
    expect(maskOf(name)).toBe(mask);
  });
});

describe('The requests of a window', () => {
  const day = (epoch: number): string => new Date(epoch * 1_000).toISOString();

  it('start at the first day and end, exclusively, after the last one', () => {
    expect(
      splitWindow({ from: '2026-03-01', to: '2026-03-02' }).map(({ start, end }) => [
        day(start),
        day(end),
      ]),
    ).toEqual([['2026-03-01T00:00:00.000Z', '2026-03-03T00:00:00.000Z']]);
  });

  it.each([1, 43, 44, 45, 88, 89, 90, 365])('cover %i days without a gap, 44 at a time', (days) => {
    const from = '2025-06-01';
    const last = Date.parse(from) + (days - 1) * 86_400_000;
    const to = new Date(last).toISOString().slice(0, 10);
    const windows = splitWindow({ from, to });
    expect(windows).toHaveLength(Math.ceil(days / 44));
    expect(windows[0]?.start).toBe(Date.parse(from) / 1_000);
    expect(windows.at(-1)?.end).toBe(last / 1_000 + 86_400);
    windows.forEach(({ start, end }, index) => {
      expect(end - start).toBeLessThanOrEqual(44 * 86_400);
      expect(start).toBe(windows[index - 1]?.end ?? start);
    });
  });
});
