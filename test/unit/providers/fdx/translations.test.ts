import { addDays } from '../../../../domain/api/timestamps.js';
import type { Country } from '../../../../domain/institutions/countries.js';
import { readJson } from '../../../../providers/http/read-json.js';
import { RemoteObject } from '../../../../providers/http/remote-object.js';
import { toDescriptor } from '../../../../providers/fdx/data/account-descriptor.js';
import type { AccountFacts } from '../../../../domain/accounts/account-facts.js';
import { toAccount } from '../../../../providers/fdx/data/fetch-accounts.js';
import { toTransaction } from '../../../../providers/fdx/data/to-transaction.js';
import { accountFacts } from '../../../support/fixtures/account-facts.js';
import { collectFaults, scope } from './support/fdx-faults.js';

collectFaults();

const json = (text: string): unknown =>
  readJson(new TextEncoder().encode(text).buffer as ArrayBuffer);

describe('Money of FDX', () => {
  const amountOf = (text: string) =>
    new RemoteObject(json(`{"amount":${text}}`), 'it').decimalNumber('amount').toFixed();

  it.each([
    ['0.1', '0.1'],
    ['12.50', '12.5'],
    ['-0.30', '-0.3'],
    ['1.5e3', '1500'],
    ['1234567890123456789', '1234567890123456789'],
    ['1234567890123456.789', '1234567890123456.789'],
    ['0.1234567890123456789', '0.1234567890123456789'],
  ])('reads %s as %s, digit by digit', (text, expected) => {
    expect(amountOf(text)).toBe(expected);
  });

  it.each([
    '1e400',
    '1e999999999',
    '1e-400',
    '12345678901234567890',
    '"1.50"',
    'null',
    'true',
    '[1]',
  ])('refuses %s', (text) => {
    expect(() => amountOf(text)).toThrow('it.amount is not an amount');
  });

  it.each(['01', '.5', 'NaN', 'Infinity', '+1', '1.'])('refuses %s, which is not JSON', (text) => {
    expect(json(`{"amount":${text}}`)).toBeUndefined();
  });

  it('adds 0.1 and 0.2 to 0.3', () => {
    const money = new RemoteObject(json('{"a":0.1,"b":0.2}'), 'it');
    expect(money.decimalNumber('a').plus(money.decimalNumber('b')).toFixed()).toBe('0.3');
  });

  it('refuses bytes that are not text, a repeated key and endless nesting', () => {
    expect(readJson(new Uint8Array([0x22, 0xff, 0x22]).buffer)).toBeUndefined();
    expect(json('{"amount":1,"amount":2}')).toBeUndefined();
    expect(json('['.repeat(1_000_000))).toBeUndefined();
  });
});

describe('An account of FDX', () => {
  const read = (
    account: object,
    details: string | null,
    country: Country = 'US',
    known?: AccountFacts,
  ) =>
    toAccount(
      toDescriptor(
        new RemoteObject({ accountId: 'a1', accountCategory: 'DEPOSIT_ACCOUNT', ...account }, 'it'),
        { country },
        known,
      ),
      details === null ? null : new RemoteObject(json(details), 'details'),
    );

  it.each([
    ['DEPOSIT_ACCOUNT', '{"currentBalance":10.5,"availableBalance":9}', '10.5', '9', null],
    [
      'LOC_ACCOUNT',
      '{"currentBalance":300,"availableCredit":700,"creditLine":1000}',
      '300',
      '700',
      '1000',
    ],
    ['LOAN_ACCOUNT', '{"principalBalance":5000.01}', '5000.01', null, null],
    ['INVESTMENT_ACCOUNT', '{"currentValue":7,"availableCashBalance":1}', '7', '1', null],
    ['ANNUITY_ACCOUNT', '{"currentBalance":7}', null, null, null],
    [null, '{"principalBalance":7,"availableCredit":3,"creditLine":10}', '7', '3', '10'],
    ['DEPOSIT_ACCOUNT', '{"currentBalance":null}', null, null, null],
    ['DEPOSIT_ACCOUNT', null, null, null, null],
  ])('of %s with %s has its balances', (accountCategory, details, current, available, limit) => {
    const account = read({ accountCategory }, details);
    const text = (amount: typeof account.current) => amount?.toFixed() ?? null;
    expect([account.current, account.available, account.limit].map(text)).toEqual([
      current,
      available,
      limit,
    ]);
  });

  it.each([
    [{ nickname: 'Mine', productName: 'Checking' }, 'Mine'],
    [{ nickname: '', productName: 'Checking' }, 'Checking'],
    [{ accountNumberDisplay: 'xxxx1234' }, 'xxxx1234'],
    [{}, 'a1'],
  ])('with %j is named %s', (account, name) => {
    expect(read(account, null).name).toBe(name);
  });

  it.each([
    ['xxxx1234', '1234'],
    ['****987', '987'],
    ['12', '12'],
  ])('shown as %s has the mask %s', (accountNumberDisplay, mask) => {
    expect(read({ accountNumberDisplay }, null).mask).toBe(mask);
  });

  it('without a currency has the currency of its country', () => {
    expect(read({}, null).currency).toBe('USD');
    expect(read({}, null, 'CA').currency).toBe('CAD');
    expect(read({ currency: { currencyCode: 'EUR' } }, null).currency).toBe('EUR');
    expect(() => read({ currency: { currencyCode: 'euro' } }, null)).toThrow('currencyCode');
  });

  it.each([
    ['DEPOSIT_ACCOUNT', 'CHECKING', 'depository.checking'],
    ['DEPOSIT_ACCOUNT', 'NEWTYPE', 'depository.other'],
    ['LOC_ACCOUNT', 'CREDITCARD', 'liability.credit_card'],
    ['LOC_ACCOUNT', null, 'liability.line_of_credit'],
    ['LOAN_ACCOUNT', 'MORTGAGE', 'liability.mortgage'],
    ['INVESTMENT_ACCOUNT', '401K', 'investment.retirement'],
    ['INVESTMENT_ACCOUNT', 'constructor', 'investment.other'],
    ['COMMERCIAL_ACCOUNT', 'COMMERCIALDEPOSIT', 'depository.other'],
    ['INSURANCE_ACCOUNT', 'WHOLELIFE', 'other.other'],
    ['TOMORROWS_ACCOUNT', 'TOMORROW', 'unknown'],
  ])('of %s and %s is %s', (accountCategory, accountType, expected) => {
    expect(read({ accountCategory, accountType }, null).accountType).toBe(expected);
  });

  const known = (accountType: AccountFacts['accountType']) =>
    accountFacts(accountType, { currency: 'EUR' });

  it.each([
    ['its type', 'LOC_ACCOUNT', null, 'liability.credit_card', 'liability.credit_card'],
    ['type and category', null, null, 'liability.mortgage', 'liability.mortgage'],
    [
      'its type, of a commercial account',
      'COMMERCIAL_ACCOUNT',
      null,
      'depository.other',
      'depository.other',
    ],
    ['nothing, after it was unknown', 'LOC_ACCOUNT', null, 'unknown', 'liability.line_of_credit'],
    [
      'its type, and moves to another group',
      'LOAN_ACCOUNT',
      null,
      'depository.checking',
      'liability.loan',
    ],
    [
      'nothing: the type is stated',
      'LOC_ACCOUNT',
      'CREDITCARD',
      'liability.loan',
      'liability.credit_card',
    ],
  ] as const)(
    'that lacks %s has the type %s, %s, known as %s: %s',
    (_what, accountCategory, accountType, before, expected) => {
      const account = read({ accountCategory, accountType }, null, 'US', known(before));
      expect(account.accountType).toBe(expected);
    },
  );

  it('keeps the currency that it is known in while the bank leaves it out', () => {
    expect(read({}, null, 'US', known('depository.checking')).currency).toBe('EUR');
    const stated = { currency: { currencyCode: 'CAD' } };
    expect(read(stated, null, 'US', known('depository.checking')).currency).toBe('CAD');
  });
});

describe('A transaction of FDX', () => {
  const ROW = `"transactionId":"t1","status":"POSTED","amount":1.5,"debitCreditMemo":"DEBIT","postedTimestamp":"2026-11-20T23:30:00.000-05:00","description":"SHOP"`;
  const read = (more = '', category = 'DEPOSIT_ACCOUNT') =>
    toTransaction(
      json(
        `{${more}${ROW.split(',')
          .filter((part) => !more.includes(part.split(':')[0] ?? ''))
          .join(',')}}`,
      ),
      {
        accountId: 'a1',
        category,
        currency: 'USD',
        today: '2026-11-25',
        scope,
      },
    );

  it('has the day and time of the bank, and an id within its account', () => {
    expect(read()).toMatchObject({
      providerTransactionId: 'a1/t1',
      date: '2026-11-20',
      datetime: '2026-11-20T23:30:00.000',
      type: 'debit',
      pending: false,
      description: 'SHOP',
      rawDescription: 'SHOP',
    });
  });

  it.each([
    ['"postedTimestamp":"2026-11-20",', '2026-11-20', null],
    ['"postedTimestamp":"2026-11-20T10:00:00Z",', '2026-11-20', null],
    ['"postedTimestamp":"2026-11-20T10:00:00.5",', '2026-11-20', '2026-11-20T10:00:00.500'],
  ])('with %s is of %s', (more, date, datetime) => {
    expect(read(more)).toMatchObject({ date, datetime });
  });

  it.each(['PENDING', 'MEMO', 'AUTHORIZATION'])('with the status %s is pending', (status) => {
    expect(read(`"status":"${status}","transactionTimestamp":"2026-11-18",`)).toMatchObject({
      pending: true,
      date: '2026-11-18',
    });
  });

  it.each(['SCHEDULED', 'Cancelled', 'CANCELED', 'rejected', 'DECLINED', 'void'])(
    'with the status %s is not a transaction',
    (status) => {
      expect(read(`"status":"${status}",`)).toBeNull();
    },
  );

  it.each([2, 20])(
    'that is posted %i days ahead is kept, on the day of the purchase if it has one',
    (days) => {
      const posted = addDays('2026-11-25', days);
      const ahead = `"postedTimestamp":"${posted}",`;
      expect(read(ahead)).toMatchObject({ date: posted, pending: false });
      expect(read(`${ahead}"transactionTimestamp":"2026-11-24",`)).toMatchObject({
        date: '2026-11-24',
        pending: false,
      });
    },
  );

  it('that is pending without a day has the current one', () => {
    expect(read('"status":"PENDING","postedTimestamp":null,')).toMatchObject({
      date: '2026-11-25',
      datetime: null,
    });
  });

  it('is a credit if the bank reports CREDIT', () => {
    expect(read('"debitCreditMemo":"CREDIT",')).toMatchObject({ type: 'credit' });
  });

  it('prefers the name of the payee, and keeps the text of the statement', () => {
    expect(read('"payee":"Corner Shop",')).toMatchObject({
      description: 'Corner Shop',
      rawDescription: 'SHOP',
    });
  });

  it('is skipped if it moves no money', () => {
    expect(read('"debitCreditMemo":"MEMO",')).toBeNull();
    expect(read('"debitCreditMemo":null,', 'INVESTMENT_ACCOUNT')).toBeNull();
  });

  it.each([
    ['"debitCreditMemo":null,', 'debitCreditMemo'],
    ['"amount":"1.50",', 'amount is not an amount'],
    ['"postedTimestamp":"2026-11-20T25:00:00Z",', 'postedTimestamp'],
    ['"postedTimestamp":null,', 'postedTimestamp'],
    ['"transactionId":"",', 'transactionId'],
  ])('with %s is unreadable', (more, message) => {
    expect(() => read(more)).toThrow(message);
  });

  it.each([
    ['"amount":-1,', { type: 'debit' }],
    ['"postedTimestamp":"2026-02-30",', { date: '2026-02-28' }],
    ['"status":"DONE",', { pending: false }],
    ['"description":7,', { description: null }],
  ])('with %s is kept', (more, kept) => {
    expect(read(more)).toMatchObject(kept);
    expect(read(more)?.amount.isNegative()).toBe(false);
  });
});
