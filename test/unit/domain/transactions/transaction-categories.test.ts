import { isTransactionCategory } from '../../../../domain/transactions/transaction-categories.js';

describe('isTransactionCategory (native-api 4.11)', () => {
  it.each(['food_and_drink.coffee_shops', 'general.other', 'income.other'])(
    'accepts the category "%s"',
    (text) => {
      expect(isTransactionCategory(text)).toBe(true);
    },
  );

  it.each(['income', 'income.gold', '__proto__.other', 'income.wages.x'])(
    'rejects the category "%s"',
    (text) => {
      expect(isTransactionCategory(text)).toBe(false);
    },
  );
});
