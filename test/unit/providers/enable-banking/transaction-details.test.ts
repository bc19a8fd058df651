// cspell:ignore abna organisation
import { Decimal } from 'decimal.js';
import type { SourceFault } from '../../../../domain/refresh/source-fault.js';
import { NO_DETAILS } from '../../../../domain/transactions/transaction-details.js';
import { toTransaction } from '../../../../providers/enable-banking/data/to-transaction.js';

const faults: SourceFault[] = [];
const note = (fault: SourceFault) => void faults.push(fault);
beforeEach(() => void faults.splice(0));

const PLAIN = {
  transaction_amount: { currency: 'EUR', amount: '12.50' },
  credit_debit_indicator: 'DBIT',
  status: 'BOOK',
  booking_date: '2026-03-02',
};
const TRANSFER = {
  ...PLAIN,
  transaction_date: '2026-03-01',
  creditor: { name: 'Ada Landlord', private_id: { identification: 'P-1' }, organisation_id: null },
  creditor_account: { iban: 'NL91 ABNA 0417 1643 00', other: null },
  creditor_agent: { bic_fi: 'ABNANL2A', clearing_system_member_id: null, name: 'ABN' },
  debtor: { name: 'Me', organisation_id: { identification: 'O-1' } },
  debtor_account: { iban: 'DE75512108001245126199' },
  bank_transaction_code: { description: 'Transfer', code: 'PMNT', sub_code: 'ICDT-ESCT' },
  reference_number: 'RF18539007547034',
  reference_number_schema: 'SCOR',
  remittance_information: ['EREF+RENT-3', 'SVWZ+Rent March'],
};
const row = (fields: object, accountCurrency: string | null = 'EUR') =>
  toTransaction(fields, {
    accountId: 'hash',
    accountCurrency,
    today: '2026-03-04',
    scope: { account: 'hash', note },
  })?.row;
const numbersOf = (fields: object) => row({ ...PLAIN, ...fields })?.counterpartyNumbers;
const maskOf = (fields: object) =>
  row({ ...PLAIN, ...fields })?.details?.counterparty?.accountMask ?? null;

describe('The details of a row of Enable Banking', () => {
  it('are none if the row has none', () => {
    expect(row(PLAIN)).toMatchObject({
      details: NO_DETAILS,
      counterpartyNumbers: null,
      bankTransactionCode: null,
    });
  });

  it('of a transfer are its receiver, text, references, code and day', () => {
    expect(row(TRANSFER)).toMatchObject({
      description: 'Ada Landlord',
      rawDescription: 'EREF+RENT-3 SVWZ+Rent March',
      bankTransactionCode: { family: 'ICDT', subfamily: 'ESCT' },
      counterpartyNumbers: {
        iban: 'NL91ABNA0417164300',
        bic: 'ABNANL2A',
        accountNumber: null,
        bankCode: null,
      },
      details: {
        counterparty: { name: 'Ada Landlord', accountMask: '4300', kind: 'person' },
        merchant: null,
        remittance: 'Rent March',
        references: {
          endToEnd: 'RENT-3',
          mandate: null,
          creditor: 'RF18539007547034',
          checkNumber: null,
        },
        original: null,
        transactedAt: '2026-03-01T00:00:00.000',
      },
    });
    expect(faults).toEqual([]);
  });

  it('of money received are those of its sender', () => {
    expect(row({ ...TRANSFER, credit_debit_indicator: 'CRDT' })).toMatchObject({
      counterpartyNumbers: { iban: 'DE75512108001245126199', bic: null },
      details: { counterparty: { name: 'Me', accountMask: '6199', kind: 'business' } },
    });
  });

  it.each([
    ['5411', '5411'],
    [5411, '5411'],
    ['742', '0742'],
    ['0000', null],
    ['', null],
    [null, null],
  ])('with the merchant code %j are those of a shop with %s', (code, mcc) => {
    const shop = { ...PLAIN, merchant_category_code: code, creditor: { name: 'Shop' } };
    expect(row(shop)?.details).toMatchObject({
      merchant: mcc === null ? null : { name: 'Shop', mcc },
      counterparty: { name: 'Shop', kind: mcc === null ? null : 'business' },
    });
    expect(faults).toEqual([]);
  });

  it.each([
    ['CHF', '1.05', 'CHF', '1.05'],
    ['EUR', '0.95', 'CHF', '1.052631579'],
    ['USD', '1.05', 'CHF', null],
    [null, '1.05', 'CHF', null],
    ['CHF', '0', 'CHF', null],
  ])(
    'price one unit of the original currency, given that of %s as %s',
    (unit, rate, currency, price) => {
      const exchange_rate = {
        unit_currency: unit,
        exchange_rate: rate,
        rate_type: null,
        contract_identification: null,
        instructed_amount: { currency, amount: '21.00' },
      };
      expect(row({ ...PLAIN, exchange_rate })?.details?.original).toEqual({
        amount: new Decimal(21),
        currency,
        rate: price === null ? null : new Decimal(price),
      });
    },
  );

  it('have no original amount in the currency of the row itself', () => {
    const exchange_rate = { instructed_amount: { currency: 'EUR', amount: '12.50' } };
    expect(row({ ...PLAIN, exchange_rate })?.details).toEqual(NO_DETAILS);
    const priced = { ...exchange_rate, unit_currency: 'EUR', exchange_rate: '1.05' };
    expect(row({ ...PLAIN, exchange_rate: priced })?.details).toEqual(NO_DETAILS);
  });

  it.each([
    ['price of one dollar', 'USD', '0.92', 'EUR', '92', '1.086956522'],
    ['price of one euro', 'EUR', '1.25', 'EUR', '80', '1.25'],
    ['price of one dollar in yen', 'USD', '151.237', 'JPY', '15124', '0.006612138564'],
  ])(
    'of a row in another currency than its account have its amount in that of the account, by the %s',
    (_what, unit, rate, accountCurrency, amount, price) => {
      const dollars = { ...PLAIN, transaction_amount: { currency: 'USD', amount: '-100.00' } };
      const exchange_rate = { unit_currency: unit, exchange_rate: rate };
      const original = {
        amount: new Decimal(amount),
        currency: accountCurrency,
        rate: new Decimal(price),
      };
      const ordered = { instructed_amount: { currency: 'USD', amount: '100.00' } };
      for (const given of [exchange_rate, { ...exchange_rate, ...ordered }])
        expect(
          row({ ...dollars, exchange_rate: given }, accountCurrency)?.details?.original,
        ).toEqual(original);
    },
  );

  it.each([
    ['the bank gives no rate', 'USD', null, 'EUR'],
    ['the rate is zero', 'USD', '0', 'EUR'],
    ['the rate is of a third currency', 'GBP', '1.2', 'EUR'],
    ['the currency of the account is unknown', 'USD', '0.92', null],
  ])('of a row in another currency than its account have no such amount if %s', (...given) => {
    const [, unit_currency, exchange_rate, accountCurrency] = given;
    const dollars = { ...PLAIN, transaction_amount: { currency: 'USD', amount: '100.00' } };
    const exchange = { unit_currency, exchange_rate };
    expect(row({ ...dollars, exchange_rate: exchange }, accountCurrency)?.details).toEqual(
      NO_DETAILS,
    );
  });

  it.each([
    ['BBAN', { identification: '12345678', scheme_name: 'BBAN' }, '5678', '12345678'],
    ['text', '12345678', '5678', '12345678'],
    ['card', { identification: '4000123412341234', scheme_name: 'CPAN' }, '1234', null],
    ['hidden', { identification: 'XXXX1234', scheme_name: 'BBAN' }, '1234', null],
  ])('keep the number of a %s account as far as allowed', (_what, other, mask, number) => {
    const creditor_account = { iban: null, other };
    const creditor_agent = { clearing_system_member_id: { member_id: '20-00-00' } };
    const fields = { creditor_account, creditor_agent };
    expect(maskOf(fields)).toBe(mask);
    expect(numbersOf(fields)).toEqual(
      number === null
        ? null
        : { iban: null, bic: null, accountNumber: number, bankCode: '20-00-00' },
    );
  });

  it.each([
    'creditor',
    'creditor_account',
    'creditor_agent',
    'bank_transaction_code',
    'reference_number',
    'transaction_date',
    'merchant_category_code',
    'exchange_rate',
  ])('that cannot be read at %s cost that field only', (field) => {
    const read = row({ ...TRANSFER, [field]: [{ no: 'sense' }] });
    expect(read).toMatchObject({ amount: new Decimal('12.5'), date: '2026-03-02' });
    expect(faults).toEqual([
      expect.objectContaining({ scope: 'value', account: 'hash', resource: 'transaction', field }),
    ]);
    // Whatever the others say stays.
    const { remittance } = read?.details ?? {};
    expect(remittance).toBe('Rent March');
  });
});
