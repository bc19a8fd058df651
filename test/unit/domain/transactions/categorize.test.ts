// cspell:disable: codes of ISO 20022
import { isTransactionCategory } from '../../../../domain/transactions/transaction-categories.js';
import {
  categoryOfBankCode,
  readBankTransactionCode,
} from '../../../../domain/transactions/bank-transaction-codes.js';
import { categorize } from '../../../../domain/transactions/categorize.js';
import { categoryOfMcc } from '../../../../domain/transactions/merchant-categories.js';

const NOTHING = {
  type: 'debit',
  category: null,
  imported: false,
  mcc: null,
  bankTransactionCode: null,
} as const;
const categoryOf = (type: 'debit' | 'credit', ...texts: string[]) => {
  const code = readBankTransactionCode(...texts);
  return code === null ? 'not a code of ISO 20022' : categoryOfBankCode(code, type);
};

describe('The category of a transaction', () => {
  it.each([
    [{}, null, null],
    [{ category: 'income.wages', mcc: '5814' }, 'income.wages', 'institution'],
    [{ category: 'income.wages', imported: true }, 'income.wages', 'import'],
    [{ imported: true, mcc: '5814' }, 'food_and_drink.fast_food', 'merchant_category_code'],
    [
      { mcc: '5814', bankTransactionCode: { family: 'ICDT', subfamily: null } },
      'food_and_drink.fast_food',
      'merchant_category_code',
    ],
    [
      { mcc: '9999', bankTransactionCode: { family: 'ICDT', subfamily: null } },
      'transfers.outgoing',
      'bank_transaction_code',
    ],
    [{ mcc: '9999', bankTransactionCode: { family: 'CCRD', subfamily: 'POSD' } }, null, null],
  ])('of %j is %s, by %s', (evidence, category, categorySource) => {
    expect(categorize({ ...NOTHING, ...evidence })).toEqual({ category, categorySource });
  });

  it('is a listed one for every merchant category code that has one', () => {
    const found = Array.from({ length: 10_000 }, (_, code) =>
      categoryOfMcc(String(code).padStart(4, '0')),
    ).filter((category) => category !== null);
    expect(found.filter((category) => !isTransactionCategory(category))).toEqual([]);
    expect(found.length).toBeGreaterThan(1_000);
  });

  it.each([
    ['5411', 'food_and_drink.groceries'],
    ['5812', 'food_and_drink.restaurants'],
    ['3058', 'travel.flights'],
    ['6011', 'transfers.atm_withdrawal'],
    ['0742', 'home.pets'],
    // Sells everything, and is used for anything.
    ['5999', null],
    ['0000', null],
  ])('of the merchant category code %s is %s', (mcc, category) => {
    expect(categoryOfMcc(mcc)).toBe(category);
  });

  it.each([
    [['PMNT-RCDT-SALA'], null, 'income.wages'],
    [['PMNT', 'RCDT-ESCT'], 'transfers.outgoing', 'transfers.incoming'],
    [['ICDT'], 'transfers.outgoing', 'transfers.incoming'],
    [['ICDT', 'BOOK'], 'transfers.account_transfer', 'transfers.account_transfer'],
    [['pmnt/ccrd/cwdl'], 'transfers.atm_withdrawal', null],
    [['CCRD', 'POSD'], null, null],
    [['PMNT', 'RDDT', 'ESDD'], null, null],
    [['ACMT-MDOP-INTR'], 'banking.interest_charged', 'income.interest'],
    [['ACMT', 'MCOP', 'FEES'], 'banking.account_fee', null],
    [['PMNT-RCHQ-CCHQ'], 'banking.cheque', 'banking.cheque'],
    [['LDAS-MGLN-PPAY'], 'mortgage_and_rent.mortgage', null],
    [['SECU-CORP-DVCA'], null, 'income.dividends'],
    [['FORX-SPOT-OTHR'], 'banking.currency_exchange', 'banking.currency_exchange'],
  ])(
    'of the bank transaction code %j is %s for a debit, %s for a credit',
    (texts, debit, credit) => {
      expect([categoryOf('debit', ...texts), categoryOf('credit', ...texts)]).toEqual([
        debit,
        credit,
      ]);
    },
  );

  it.each(['12', 'CARD_PAYMENT', 'TRANSFER', '8810 IDB', 'INTR', 'FEES', ''])(
    'is not read from %j, a code of a bank of its own',
    (text) => {
      expect(readBankTransactionCode(text)).toBeNull();
    },
  );
});
