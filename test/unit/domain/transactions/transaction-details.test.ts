// cspell:ignore xeref
import { Decimal } from 'decimal.js';
import { counterpartyAccount } from '../../../../domain/transactions/counterparty-numbers.js';
import { splitRemittance } from '../../../../domain/transactions/tagged-remittance.js';
import {
  detailsOf,
  NO_DETAILS,
  renderDetails,
} from '../../../../domain/transactions/transaction-details.js';

describe('The details of a transaction', () => {
  it('are null, and objects without any known member are, too', () => {
    const empty = detailsOf({
      counterparty: { name: null, accountMask: null, kind: null },
      merchant: { name: null, mcc: null },
      references: { endToEnd: null, mandate: null, creditor: null, checkNumber: null },
    });
    expect(empty).toEqual(NO_DETAILS);
    expect(renderDetails(empty)).toBe(renderDetails(NO_DETAILS));
  });

  it('are rendered as valid JSON, with amounts in their shortest form', () => {
    const text = renderDetails({
      counterparty: { name: 'Zoë "Z" \\ Vale', accountMask: '3000', kind: 'person' },
      merchant: { name: null, mcc: '5814' },
      remittance: 'line\none',
      references: { endToEnd: 'E', mandate: 'M', creditor: 'C', checkNumber: '7' },
      original: { amount: new Decimal('4.10'), currency: 'EUR', rate: new Decimal('1.0500') },
      transactedAt: '2026-03-01T08:12:00.000',
    });
    expect(text).toContain('"amount":4.1,');
    expect(JSON.parse(`{${text}}`)).toEqual({
      counterparty: { name: 'Zoë "Z" \\ Vale', account_mask: '3000', kind: 'person' },
      merchant: { name: null, mcc: '5814' },
      remittance: 'line\none',
      references: { end_to_end: 'E', mandate: 'M', creditor: 'C', check_number: '7' },
      original: { amount: 4.1, currency: 'EUR', rate: 1.05 },
      transacted_at: '2026-03-01T08:12:00.000',
    });
  });
});

describe('The account of a counterparty', () => {
  const ALL = { iban: 'DE89370400440532013000', bic: 'COBADEFF', accountNumber: null };

  it.each([
    ['an IBAN', ALL, '3000', { ...ALL, bankCode: null }],
    [
      'a national number',
      { accountNumber: '12-345 678', bankCode: '0210' },
      '5678',
      { iban: null, bic: null, accountNumber: '12-345 678', bankCode: '0210' },
    ],
    ['a bank alone', { bic: 'COBADEFF' }, null, null],
    ['hidden digits', { iban: 'DE89XXXXXXXXXXXXXX3000' }, '3000', null],
    ['stars', { accountNumber: '****1234' }, '1234', null],
    ['dots', { accountNumber: '...99' }, '99', null],
    ['a sign alone', { accountNumber: '-' }, null, null],
  ])('with %s has a mask, and numbers if they are complete', (_what, given, mask, numbers) => {
    expect(counterpartyAccount(given)).toEqual({ numbers, mask });
  });
});

describe('A remittance text', () => {
  it.each([
    [null, null, null, null],
    ['Rent March', 'Rent March', null, null],
    ['EREF+RENT-3 MREF+M1 CRED+DE98ZZZ SVWZ+Rent March', 'Rent March', 'RENT-3', 'M1'],
    ['Rent EREF+NOTPROVIDED', 'Rent', null, null],
    ['EREF+NOTPROVIDED', null, null, null],
    ['SVWZ+Rent\nMarch EREF+ 12 34', 'Rent March', '12 34', null],
    [
      '/TRTP/SEPA OVERBOEKING/IBAN/NL91ABNA0417164300/BIC/ABNANL2A/NAME/A Vale/REMI/Rent/EREF/77',
      'Rent',
      '77',
      null,
    ],
    // A word of the payer that looks like a tag.
    ['XEREF+1 and PROVIDER+2', 'XEREF+1 and PROVIDER+2', null, null],
  ])('of %j has its text and its references', (given, text, endToEnd, mandate) => {
    expect(splitRemittance(given)).toEqual({ text, endToEnd, mandate });
  });
});
