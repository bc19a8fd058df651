import {
  CHECKING,
  COFFEE,
  imported,
  read,
  rowsOf,
  startImports,
  WAGES,
} from './support/import-requests.js';

startImports();

describe('POST /links/import', () => {
  it('keeps the details of rows, and seals the numbers of their parties', async () => {
    const linkId = await imported({
      transactions: [
        {
          ...WAGES,
          type: undefined,
          counterparty: {
            name: 'Employer',
            kind: 'business',
            numbers: { iban: 'DE89370400440532013000', bic: 'COBADEFF' },
          },
          merchant: { name: null, mcc: '5814' },
          remittance: 'Salary',
          references: { end_to_end: 'PAY-1', check_number: '7' },
          original: { amount: '1300.50', currency: 'CHF', rate: 0.95 },
          transacted_at: '2026-02-02',
        },
        { ...COFFEE, counterparty: { account_mask: 'x-001234' }, transacted_at: null },
      ],
    });
    const [wages, coffee] = await rowsOf(linkId);
    expect(wages).toMatchObject({
      description: 'Employer',
      counterparty: { name: 'Employer', account_mask: '3000', kind: 'business' },
      merchant: { name: null, mcc: '5814' },
      remittance: 'Salary',
      references: { end_to_end: 'PAY-1', mandate: null, creditor: null, check_number: '7' },
      original: { amount: 1300.5, currency: 'CHF', rate: 0.95 },
      transacted_at: '2026-02-02T00:00:00.000',
      category: 'food_and_drink.fast_food',
      category_source: 'merchant_category_code',
    });
    expect(coffee).toMatchObject({
      counterparty: { name: null, account_mask: '1234', kind: null },
      category: 'food_and_drink.coffee_shops',
      category_source: 'import',
      transacted_at: null,
    });
    const path = `transactions/${String(wages?.['transaction_id'])}/numbers`;
    expect(await read(linkId, path)).toMatchObject({
      counterparty: {
        iban: 'DE89370400440532013000',
        bic: 'COBADEFF',
        account_number: null,
        bank_code: null,
      },
    });
  });

  it('shows currencies in upper case, however they were written', async () => {
    const linkId = await imported({
      accounts: [{ ...CHECKING, balances: { currency: 'eur', current: 1 } }],
      transactions: [{ ...COFFEE, original: { amount: 5, currency: 'usd' } }],
    });
    expect(await read(linkId, 'accounts')).toMatchObject({
      accounts: [{ balances: { currency: 'EUR' } }],
    });
    expect(await rowsOf(linkId)).toMatchObject([
      { currency: 'EUR', original: { currency: 'USD' } },
    ]);
  });
});
