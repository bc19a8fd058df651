import { toBalances } from '../../../../providers/enable-banking/data/balances.js';
import { toTransaction } from '../../../../providers/enable-banking/data/to-transaction.js';
import { balance, collectFaults, faults, note } from './support/enable-banking-faults.js';

collectFaults();

const malformed = expect.objectContaining({ providerCause: 'malformed' });
const scope = { account: 'hash', note };
const context = { accountId: 'hash', today: '2026-03-04', scope };
const BOOKED = {
  entry_reference: 'REF-1',
  transaction_amount: { currency: 'EUR', amount: '12.50' },
  credit_debit_indicator: 'DBIT',
  status: 'BOOK',
  booking_date: '2026-03-02',
  value_date: '2026-03-03',
  transaction_date: '2026-03-01',
  creditor: { name: 'Shop' },
  debtor: { name: 'Me' },
  remittance_information: ['SHOP 42', 'invoice 7'],
  transaction_id: 'changes-every-time',
};
const row = (fields: object = {}) => toTransaction({ ...BOOKED, ...fields }, context);
const amountOf = (amount: unknown) =>
  row({ transaction_amount: { currency: 'EUR', amount } })?.row.amount;

describe('A row of Enable Banking', () => {
  it('keeps amount, direction, day and texts', () => {
    const { amount, details: _details, ...others } = row()?.row ?? {};
    expect(amount?.toFixed()).toBe('12.5');
    expect(row()?.reference).toBe('REF-1');
    expect(others).toEqual({
      providerAccountId: 'hash',
      type: 'debit',
      currency: 'EUR',
      date: '2026-03-02',
      datetime: null,
      description: 'Shop',
      rawDescription: 'SHOP 42 invoice 7',
      pending: false,
      category: null,
      counterpartyNumbers: null,
      bankTransactionCode: null,
    });
  });

  it.each([
    ['19 digits', '1234567890123456789', '1234567890123456789'],
    ['19 digits with a point', '12345678901234567.89', '12345678901234567.89'],
    ['no digit but zero', '0.00', '0'],
  ])('with an amount of %s is exact', (_what, text, amount) => {
    expect(amountOf(text)?.toFixed()).toBe(amount);
  });

  it('has amounts that add up without rounding', () => {
    expect(
      amountOf('0.1')
        ?.plus(amountOf('0.2') ?? 0)
        .toFixed(),
    ).toBe('0.3');
  });

  it.each(['1e400', '1e2', 'NaN', 'Infinity', '', '1,000.00', '.5', '+5', 1e300, null])(
    'with the amount %j is malformed',
    (amount) => {
      expect(() => amountOf(amount)).toThrow(malformed);
    },
  );

  it('received from others is a credit, described by its sender', () => {
    expect(row({ credit_debit_indicator: 'CRDT' })?.row).toMatchObject({
      type: 'credit',
      description: 'Me',
    });
  });

  it.each([
    ['BOOK', {}, false, '2026-03-02'],
    ['BOOK', { booking_date: null }, false, '2026-03-03'],
    ['BOOK', { booking_date: undefined, value_date: undefined }, false, '2026-03-01'],
    ['PDNG', {}, true, '2026-03-01'],
    ['HOLD', { transaction_date: null }, true, '2026-03-03'],
    ['PDNG', { transaction_date: null, value_date: null }, true, '2026-03-02'],
    ['PDNG', { transaction_date: null, value_date: null, booking_date: null }, true, '2026-03-04'],
  ])('in state %s with %j is pending or posted on the right day', (status, days, pending, date) => {
    expect(row({ status, ...days })?.row).toMatchObject({ pending, date });
  });

  it.each(['NEW_STATE', 'BOOKED_BY_CARD_CENTER', 'Gebucht', 'OTHR'])(
    'in state %s, which its bank invented, is posted',
    (status) => {
      expect(row({ status })?.row).toMatchObject({ pending: false });
    },
  );

  it('in an unknown state is planned until the day of its booking has come', () => {
    expect(row({ status: 'OTHR', booking_date: null })).toBeNull();
    expect(row({ status: 'OTHR', booking_date: '2999-01-01' })).toBeNull();
  });

  it.each(['SCHD', 'RJCT', 'CNCL', 'scheduled', 'Rejected', 'CANCELLED', 'canceled by bank'])(
    'in state %s is not a transaction',
    (status) => {
      expect(row({ status })).toBeNull();
    },
  );

  it.each([
    [{ entry_reference: null }, null],
    [{ entry_reference: undefined }, null],
    [{ entry_reference: '' }, null],
    [{ entry_reference: 'x'.repeat(501) }, null],
    [{ entry_reference: 'x'.repeat(500) }, 'x'.repeat(500)],
  ])('with %j has the reference %j', (fields, reference) => {
    expect(row(fields)?.reference).toBe(reference);
  });

  it('may have no text at all, and a long one is cut', () => {
    const bare = { creditor: null, remittance_information: undefined };
    expect(row(bare)?.row).toMatchObject({ description: null, rawDescription: null });
    expect(
      row({ ...bare, remittance_information: ['x'.repeat(2_000), null] })?.row.rawDescription,
    ).toHaveLength(500);
  });

  it.each([
    { booking_date: null, value_date: null, transaction_date: null },
    { booking_date: '2026-13-01', value_date: '0001-01-01', transaction_date: '9999-12-31' },
    { credit_debit_indicator: 'BOTH' },
    { transaction_amount: '12.50' },
    { transaction_amount: { currency: 'euro', amount: '1' } },
  ])('with %j is unreadable', (fields) => {
    expect(() => row(fields)).toThrow(malformed);
  });

  it.each([
    [
      'a signed amount beside its indicator',
      { transaction_amount: { currency: 'EUR', amount: '-0.21' } },
      { type: 'debit' },
    ],
    ['February 30', { booking_date: '2026-02-30' }, { date: '2026-02-28' }],
    ['a wrong day beside another', { booking_date: 'soon' }, { date: '2026-03-03' }],
    [
      'a booking ahead and the day of the purchase',
      { booking_date: '2026-03-24', value_date: '2026-03-24' },
      { date: '2026-03-01' },
    ],
    [
      'a booking ahead and no other day',
      { booking_date: '2026-03-24', value_date: null, transaction_date: null },
      { date: '2026-03-24' },
    ],
    ['no status', { status: null }, { pending: false }],
    ['a reference that is a number', { entry_reference: 7 }, { date: '2026-03-02' }],
    [
      'NUL and half a pair in its text',
      { remittance_information: ['A\u0000B\ud83d'] },
      { rawDescription: 'A B' },
    ],
  ])('with %s is kept', (_what, fields, kept) => {
    expect(row(fields)?.row).toMatchObject(kept);
    expect(row(fields)?.row.amount.isNegative()).toBe(false);
    expect(faults.every((fault) => fault.scope === 'value')).toBe(true);
  });

  it('without an indicator is a debit if its amount is negative', () => {
    const amount = {
      credit_debit_indicator: null,
      transaction_amount: { currency: 'EUR', amount: '-5' },
    };
    expect(row(amount)?.row).toMatchObject({ type: 'debit' });
  });
});
const balances = (...list: object[]) => {
  const { current, available } = toBalances({ balances: list }, 'EUR');
  return [current?.toFixed() ?? null, available?.toFixed() ?? null];
};

describe('The balances of Enable Banking', () => {
  it.each([
    [['XPCD', 'CLBD', 'ITBD'], '2', null],
    [['XPCD', 'ITBD'], '2', null],
    [['OPBD', 'PRCD', 'XPCD'], '3', null],
    [['ITAV', 'CLAV', 'CLBD'], '3', '2'],
    [['OPAV', 'FWAV', 'ITAV'], null, '3'],
    [['INFO', 'OTHR', 'VALU'], null, null],
    [[], null, null],
  ])('of %j are chosen in one order, however the bank sorts them', (types, current, available) => {
    const list = types.map((type, index) => balance(type, String(index + 1)));
    expect(balances(...list)).toEqual([current, available]);
  });

  it('in another currency are excluded', () => {
    expect(balances(balance('CLBD', '1', 'USD'), balance('XPCD', '2'))).toEqual(['2', null]);
  });

  it.each([
    [{ last_change_date_time: '2026-03-02T10:00:00.123456+01:00' }, '2026-03-02T09:00:00.123Z'],
    [{ reference_date: '2026-03-02' }, '2026-03-02T00:00:00.000Z'],
    [{ reference_date: 'yesterday' }, null],
    [{}, null],
  ])('with %j are of %j', (fields, date) => {
    const read = toBalances({ balances: [{ ...balance('CLBD', '1'), ...fields }] }, 'EUR');
    expect(read.date?.toISOString() ?? null).toBe(date);
  });

  it.each(['1e400', null, '--1'])('with the amount %j in one of them are the others', (amount) => {
    expect(balances(balance('CLBD', amount as string), balance('XPCD', '2'))).toEqual(['2', null]);
  });

  it('have the currency of the account if it is not known and they agree', () => {
    const list = (...all: object[]) => toBalances({ balances: all }, null);
    expect(list(balance('CLBD', '1'), balance('XPCD', '2'))).toMatchObject({ currency: 'EUR' });
    expect(list(balance('CLBD', '1'), balance('XPCD', '2', 'USD')).currency).toBeNull();
  });
});

// cspell:ignore Gebucht
