import { TRANSACTION_CATEGORIES } from '../../../../domain/transactions/transaction-categories.js';
import { personalFinanceCategory } from '../../../../apps/api/src/plaid/shapes/category.js';
import { CATEGORY_MAP } from '../../../../apps/api/src/plaid/shapes/category-map.js';
import {
  LEGACY_CATEGORIES,
  legacyCategory,
} from '../../../../apps/api/src/plaid/shapes/legacy-category.js';
import { transactionType } from '../../../../apps/api/src/plaid/shapes/transaction-type.js';

const code = (category: string, type: 'credit' | 'debit', version: 'v1' | 'v2') =>
  personalFinanceCategory(category, type, version).detailed;

describe('Categories (plaid-compat 3.6)', () => {
  it('cover every group of the native taxonomy and no unknown subgroup', () => {
    expect(Object.keys(CATEGORY_MAP).sort()).toEqual(Object.keys(TRANSACTION_CATEGORIES).sort());
    const media = [
      ...(TRANSACTION_CATEGORIES['utilities'] ?? []),
      ...(TRANSACTION_CATEGORIES['media_and_telecoms'] ?? []),
    ];
    for (const [group, { subgroups = {} }] of Object.entries(CATEGORY_MAP)) {
      const ours =
        group === 'utilities' || group === 'media_and_telecoms'
          ? media
          : TRANSACTION_CATEGORIES[group];
      expect(ours).toEqual(expect.arrayContaining(Object.keys(subgroups)));
    }
  });

  it('begin with the code of their primary category', () => {
    for (const [group, subgroups] of Object.entries(TRANSACTION_CATEGORIES)) {
      for (const subgroup of [...subgroups, 'other']) {
        for (const type of ['credit', 'debit'] as const) {
          for (const version of ['v1', 'v2'] as const) {
            const found = personalFinanceCategory(`${group}.${subgroup}`, type, version);
            expect(found).toMatchObject({ confidence_level: 'UNKNOWN', version });
            expect(found.detailed.startsWith(`${found.primary}_`)).toBe(true);
          }
        }
      }
    }
  });

  it.each([
    ['income.wages', 'credit', 'INCOME_WAGES', 'INCOME_SALARY'],
    ['income.benefits', 'credit', 'INCOME_OTHER_INCOME', 'INCOME_OTHER'],
    ['income.rent_received', 'credit', 'INCOME_OTHER_INCOME', 'INCOME_RENTAL'],
    ['income.cash', 'credit', 'TRANSFER_IN_DEPOSIT', 'TRANSFER_IN_DEPOSIT'],
    [
      'transfers.account_transfer',
      'debit',
      'TRANSFER_OUT_ACCOUNT_TRANSFER',
      'TRANSFER_OUT_ACCOUNT_TRANSFER',
    ],
    [
      'transfers.deposit',
      'debit',
      'TRANSFER_OUT_OTHER_TRANSFER_OUT',
      'TRANSFER_OUT_OTHER_TRANSFER_OUT',
    ],
    ['transfers.atm_withdrawal', 'debit', 'TRANSFER_OUT_WITHDRAWAL', 'TRANSFER_OUT_WITHDRAWAL'],
    [
      'pensions_savings_and_investments.savings',
      'credit',
      'TRANSFER_IN_SAVINGS',
      'TRANSFER_IN_SAVINGS',
    ],
    [
      'borrowing_and_loans.student_loan',
      'credit',
      'TRANSFER_IN_CASH_ADVANCES_AND_LOANS',
      'LOAN_DISBURSEMENTS_STUDENT',
    ],
    [
      'borrowing_and_loans.student_loan',
      'debit',
      'LOAN_PAYMENTS_STUDENT_LOAN_PAYMENT',
      'LOAN_PAYMENTS_STUDENT_LOAN_PAYMENT',
    ],
    [
      'borrowing_and_loans.credit_card_payment',
      'credit',
      'LOAN_PAYMENTS_CREDIT_CARD_PAYMENT',
      'LOAN_PAYMENTS_CREDIT_CARD_PAYMENT',
    ],
    [
      'borrowing_and_loans.pay_later',
      'credit',
      'TRANSFER_IN_CASH_ADVANCES_AND_LOANS',
      'LOAN_DISBURSEMENTS_OTHER_DISBURSEMENT',
    ],
    [
      'mortgage_and_rent.mortgage',
      'debit',
      'LOAN_PAYMENTS_MORTGAGE_PAYMENT',
      'LOAN_PAYMENTS_MORTGAGE_PAYMENT',
    ],
    ['banking.cheque', 'credit', 'TRANSFER_IN_OTHER_TRANSFER_IN', 'TRANSFER_IN_OTHER_TRANSFER_IN'],
    ['food_and_drink.coffee_shops', 'debit', 'FOOD_AND_DRINK_COFFEE', 'FOOD_AND_DRINK_COFFEE'],
    [
      'media_and_telecoms.streaming',
      'debit',
      'ENTERTAINMENT_TV_AND_MOVIES',
      'ENTERTAINMENT_TV_AND_MOVIES',
    ],
    ['transport.vehicle_rental', 'debit', 'TRAVEL_RENTAL_CARS', 'TRAVEL_RENTAL_CARS'],
    [
      'gambling_and_lotteries.lottery',
      'debit',
      'ENTERTAINMENT_CASINOS_AND_GAMBLING',
      'ENTERTAINMENT_CASINOS_AND_GAMBLING',
    ],
    ['taxes.income_tax', 'credit', 'INCOME_TAX_REFUND', 'INCOME_TAX_REFUND'],
    [
      'taxes.income_tax',
      'debit',
      'GOVERNMENT_AND_NON_PROFIT_TAX_PAYMENT',
      'GOVERNMENT_AND_NON_PROFIT_TAX_PAYMENT',
    ],
    ['general.other', 'debit', 'GENERAL_SERVICES_OTHER_GENERAL_SERVICES', 'OTHER_OTHER'],
    ['toString.other', 'debit', 'GENERAL_SERVICES_OTHER_GENERAL_SERVICES', 'OTHER_OTHER'],
  ] as const)('map %s (%s) to %s, in v2 to %s', (category, type, v1, v2) => {
    expect({ v1: code(category, type, 'v1'), v2: code(category, type, 'v2') }).toEqual({ v1, v2 });
  });

  it('fall back to the uncategorized code of each version, never to null', () => {
    const fallback = (version: 'v1' | 'v2') => personalFinanceCategory(null, 'debit', version);
    expect(fallback('v1')).toMatchObject({
      primary: 'GENERAL_SERVICES',
      detailed: 'GENERAL_SERVICES_OTHER_GENERAL_SERVICES',
    });
    expect(fallback('v2')).toMatchObject({ primary: 'OTHER', detailed: 'OTHER_OTHER' });
  });
});

describe('Legacy categories (plaid-compat 3.6)', () => {
  it('cover every group of the native taxonomy and no unknown subgroup', () => {
    expect(Object.keys(LEGACY_CATEGORIES).sort()).toEqual(
      Object.keys(TRANSACTION_CATEGORIES).sort(),
    );
    for (const [group, { subgroups = {} }] of Object.entries(LEGACY_CATEGORIES)) {
      expect(TRANSACTION_CATEGORIES[group]).toEqual(expect.arrayContaining(Object.keys(subgroups)));
    }
  });

  it('have an identifier of their own for each path', () => {
    const paths = new Map<string, string>();
    for (const [group, subgroups] of Object.entries(TRANSACTION_CATEGORIES)) {
      for (const name of [...subgroups, 'other'].map((subgroup) => `${group}.${subgroup}`)) {
        for (const type of ['credit', 'debit'] as const) {
          const { category, category_id: id } = legacyCategory(name, type);
          expect(id).toMatch(/^\d{8}$/);
          expect(paths.get(id) ?? category.join(' > ')).toBe(category.join(' > '));
          paths.set(id, category.join(' > '));
        }
      }
    }
  });

  it.each([
    ['food_and_drink.coffee_shops', 'debit', 'Food and Drink, Restaurants, Coffee Shop'],
    ['income.wages', 'credit', 'Transfer, Payroll'],
    ['transfers.other', 'credit', 'Transfer, Credit'],
    ['transfers.other', 'debit', 'Transfer, Debit'],
    ['toString.other', 'debit', 'Service'],
    [null, 'debit', 'Service'],
  ] as const)('map %s (%s) to %s', (category, type, path) => {
    expect(legacyCategory(category, type).category.join(', ')).toBe(path);
  });
});

describe('The type of a transaction (plaid-compat 3.5)', () => {
  it.each([
    ['banking.overdraft_fee', 'special'],
    ['transfers.deposit', 'special'],
    ['food_and_drink.groceries', 'unresolved'],
    [null, 'unresolved'],
  ])('is derived from %s as %s', (category, type) => {
    expect(transactionType(category)).toBe(type);
  });
});
