import type { SourceFault } from '../../../../domain/refresh/source-fault.js';
import { toAspsp } from '../../../../providers/enable-banking/catalogue/read-aspsps.js';
import { toInstitution } from '../../../../providers/enable-banking/catalogue/list-institutions.js';
import {
  readRemoteId,
  remoteIdOf,
} from '../../../../providers/enable-banking/catalogue/remote-id.js';
import { toBalances } from '../../../../providers/enable-banking/data/balances.js';
import { toAccount } from '../../../../providers/enable-banking/data/fetch-accounts.js';
import { toTransaction } from '../../../../providers/enable-banking/data/to-transaction.js';
import { toSessionAccounts } from '../../../../providers/enable-banking/login/session-accounts.js';
import { RemoteObject } from '../../../../providers/http/remote-object.js';

const malformed = expect.objectContaining({ providerCause: 'malformed' });
const faults: SourceFault[] = [];
const note = (fault: SourceFault) => void faults.push(fault);
beforeEach(() => void faults.splice(0));
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
    const { amount, ...others } = row()?.row ?? {};
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

  it.each(['SCHD', 'RJCT', 'CNCL', 'OTHR', 'NEW_STATE'])(
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

const balance = (type: string, amount: string, currency = 'EUR') => ({
  name: type,
  balance_type: type,
  balance_amount: { currency, amount },
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

const number = (fields: object = {}) => ({
  id: 'hash',
  uid: 'uid',
  iban: null,
  bban: null,
  bic: null,
  ...fields,
});
const account = (details: object, current = '-240.10', numbers: object = {}) =>
  toAccount(
    number(numbers),
    new RemoteObject({ cash_account_type: 'CACC', currency: 'EUR', ...details }, 'account'),
    toBalances({ balances: [balance('CLBD', current)] }, 'EUR'),
  );

describe('An account of Enable Banking', () => {
  it.each([
    ['CACC', 'depository.checking', '-240.1'],
    ['SVGS', 'depository.savings', '-240.1'],
    ['CASH', 'depository.cash', '-240.1'],
    ['CARD', 'liability.credit_card', '240.1'],
    ['LOAN', 'liability.loan', '240.1'],
    ['OTHR', 'other.other', '-240.1'],
    ['NEWX', 'unknown', '-240.1'],
  ])('of type %s is %s and, if it owes, owes a positive amount', (type, accountType, current) => {
    const translated = account({ cash_account_type: type });
    expect({ accountType: translated.accountType, current: translated.current?.toFixed() }).toEqual(
      { accountType, current },
    );
  });

  it.each([
    [{ details: 'Holidays', product: 'Girokonto', name: 'Tilda Trial' }, 'Holidays'],
    [{ details: '', product: 'Girokonto', name: 'Tilda Trial' }, 'Girokonto'],
    [{ details: null, name: 'Tilda Trial' }, 'Account 3000'],
  ])('with %j is named %s, never after its holder', (details, name) => {
    expect(account(details, '1', { iban: 'DE89370400440532013000' })).toMatchObject({
      name,
      mask: '3000',
    });
  });

  it('has the limit of a card in its own currency, and none otherwise', () => {
    const limit = { credit_limit: { currency: 'EUR', amount: '5000.00' } };
    expect(account({ cash_account_type: 'CARD', ...limit }).limit?.toFixed()).toBe('5000');
    expect(account(limit).limit).toBeNull();
    const other = { credit_limit: { currency: 'USD', amount: '5000.00' } };
    expect(account({ cash_account_type: 'CARD', ...other }).limit).toBeNull();
  });

  it('has the mask of a card from its number', () => {
    const card = { account_id: { other: { identification: '4111 11** **** 1234' } } };
    expect(account({ cash_account_type: 'CARD', ...card }).mask).toBe('1234');
  });
});

const linked = (...accounts: object[]) =>
  toSessionAccounts(
    new RemoteObject(
      {
        accounts: accounts.map((fields, index) => ({
          uid: `uid-${index}`,
          identification_hash: `hash-${index}`,
          currency: 'EUR',
          cash_account_type: 'CACC',
          ...fields,
        })),
      },
      'session',
    ),
    'BANKDEFF',
    note,
  );

describe('The accounts of a session of Enable Banking', () => {
  it('have the number and the BIC of the response, or the BIC of the bank', () => {
    const iban = { account_id: { iban: 'de89 3704 0044 0532 0130 00' } };
    const bban = {
      account_id: { other: { scheme_name: 'BBAN', identification: '12345678901' } },
      account_servicer: { bic_fi: 'OTHRNOKKXXX' },
    };
    const card = { account_id: { other: { scheme_name: 'CPAN', identification: '4111***1234' } } };
    expect(linked(iban, bban, card)).toMatchObject([
      { id: 'hash-0', uid: 'uid-0', iban: 'DE89370400440532013000', bban: null, bic: 'BANKDEFF' },
      { id: 'hash-1', iban: null, bban: '12345678901', bic: 'OTHRNOKKXXX' },
      { id: 'hash-2', iban: null, bban: null },
    ]);
  });

  it('are excluded without a uid, because the vendor does not read them', () => {
    expect(linked({}, { uid: null }, { uid: undefined }).map(({ id }) => id)).toEqual(['hash-0']);
  });

  it('differ by their currency when they share a number', () => {
    const shared = { identification_hash: 'same' };
    expect(linked(shared, { ...shared, currency: 'USD' }, {}).map(({ id }) => id)).toEqual([
      'same/EUR',
      'same/USD',
      'hash-2',
    ]);
    expect(linked(shared, shared).map(({ uid }) => uid)).toEqual(['uid-0']);
  });

  it('are read without one that lacks identifying data', () => {
    expect(linked({}, { identification_hash: 7 }).map(({ id }) => id)).toEqual(['hash-0']);
    expect(faults).toMatchObject([{ scope: 'account', account: null }]);
  });
});

describe('A bank of Enable Banking', () => {
  const aspsp = (fields: object = {}) => ({
    name: 'Meridian Bank',
    country: 'DE',
    psu_types: ['business', 'personal'],
    maximum_consent_validity: 7_776_000,
    ...fields,
  });

  it('is an institution with a login by redirect', () => {
    const bank = aspsp({
      bic: 'MERIDEFFXXX',
      logo: 'https://logos.example/m.png',
      group: { name: 'Meridian Group' },
    });
    expect(toInstitution(toAspsp(bank))).toEqual({
      remoteId: 'DE/Meridian%20Bank',
      name: 'Meridian Bank',
      country: 'DE',
      url: null,
      bic: 'MERIDEFFXXX',
      routingNumbers: [],
      logoUrl: 'https://logos.example/m.png',
      color: null,
      login: 'redirect',
      products: ['accounts', 'account_numbers', 'transactions'],
      otherNames: ['Meridian Group'],
      health: null,
    });
  });

  it('may lack optional fields, and keeps no invalid logo or BIC', () => {
    expect(toAspsp(aspsp({ bic: 'none', logo: 'http://logos.example/m.png' }))).toMatchObject({
      psuTypes: ['personal', 'business'],
      psuHeaders: [],
      bic: null,
      logoUrl: null,
      group: null,
    });
  });

  it.each([
    { name: 'Banque de la Rivière', country: 'FR' },
    { name: 'A/B & C? 100%', country: 'DE' },
    { name: '../..', country: 'SE' },
    { name: 'DE/Other', country: 'FI' },
  ])('is found again by the id of %j', (bank) => {
    expect(readRemoteId(remoteIdOf(bank))).toEqual(bank);
  });

  it.each(['no-such-institution', 'DE/', 'DE/%', 'DE/a b', 'de/Bank', 'DE/A/B', ''])(
    'is not found by the invalid id %j',
    (remoteId) => {
      expect(readRemoteId(remoteId)).toBeNull();
    },
  );
});
