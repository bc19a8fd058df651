import { Decimal } from 'decimal.js';
import { stringify } from 'lossless-json';
import type { SourceFault } from '../../../../domain/refresh/source-fault.js';
import { NO_DETAILS } from '../../../../domain/transactions/transaction-details.js';
import { readJson } from '../../../../providers/http/read-json.js';
import { toTransaction } from '../../../../providers/fdx/data/to-transaction.js';

const faults: SourceFault[] = [];
const note = (fault: SourceFault) => void faults.push(fault);
beforeEach(() => void faults.splice(0));

const ROW = {
  transactionId: 't1',
  status: 'POSTED',
  amount: 1.5,
  debitCreditMemo: 'DEBIT',
  postedTimestamp: '2026-11-20T23:30:00.000-05:00',
  description: 'SHOP',
};
const KNOWN = {
  payee: 'Shop',
  memo: 'Table 4',
  category: '5812',
  checkNumber: '1042',
  foreignAmount: 21,
  foreignCurrency: 'CHF',
  transactionTimestamp: '2026-11-19T08:12:00.000-05:00',
};
/** As a bank's response is read: with every digit of its numbers. */
const row = (fields: object = {}) =>
  toTransaction(
    readJson(new TextEncoder().encode(stringify({ ...ROW, ...fields })).buffer as ArrayBuffer),
    {
      accountId: 'a1',
      category: 'DEPOSIT_ACCOUNT',
      currency: 'USD',
      today: '2026-11-25',
      scope: { account: 'a1', note },
    },
  );

describe('The details of a row of FDX', () => {
  it('are none if the row has none', () => {
    expect(row()?.details).toEqual(NO_DETAILS);
  });

  it('are its payee, memo, codes, check, foreign amount and time', () => {
    expect(row(KNOWN)?.details).toEqual({
      counterparty: { name: 'Shop', accountMask: null, kind: 'business' },
      merchant: { name: 'Shop', mcc: '5812' },
      remittance: 'Table 4',
      references: { endToEnd: null, mandate: null, creditor: null, checkNumber: '1042' },
      original: { amount: new Decimal(21), currency: 'CHF', rate: null },
      transactedAt: '2026-11-19T08:12:00.000',
    });
    expect(faults).toEqual([]);
  });

  it.each([
    [
      { merchantName: 'Shop', merchantId: 'm' },
      { name: 'Shop', kind: 'business' },
    ],
    [{ individualName: 'Robin Vale' }, { name: 'Robin Vale', kind: 'person' }],
    [{}, { name: 'Payee', kind: null }],
  ])('with the party %j name %j', (transactionPayee, counterparty) => {
    expect(row({ payee: 'Payee', transactionPayee })?.details).toMatchObject({ counterparty });
  });

  it.each([
    [{ category: 'Groceries' }, null],
    [{ category: '54' }, null],
    [{ merchantCategoryCode: 5411, category: 'Groceries' }, '5411'],
    [{ merchantCategoryCode: '5411' }, '5411'],
  ])('with %j have the merchant code %s', (fields, mcc) => {
    expect(row(fields)?.details?.merchant?.mcc ?? null).toBe(mcc);
    expect(faults).toEqual([]);
  });

  it('have the day of a time in another zone than the bank', () => {
    expect(row({ transactionTimestamp: '2026-11-19T08:12:00Z' })?.details?.transactedAt).toBe(
      '2026-11-19T00:00:00.000',
    );
  });

  it('have a check number that the bank sends as a number', () => {
    expect(row({ checkNumber: 1042 })?.details?.references?.checkNumber).toBe('1042');
  });

  it.each([
    'payee',
    'memo',
    'checkNumber',
    'foreignAmount',
    'foreignCurrency',
    'transactionTimestamp',
  ])('that cannot be read at %s cost that field only', (field) => {
    const read = row({ ...KNOWN, [field]: { no: 'sense' } });
    expect(read).toMatchObject({ date: '2026-11-20', details: { merchant: { mcc: '5812' } } });
    expect(faults).toEqual([expect.objectContaining({ scope: 'value', account: 'a1', field })]);
  });
});
