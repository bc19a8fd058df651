import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { ACCOUNT_TYPES } from '../../../../domain/accounts/account-types.js';
import {
  categoryOf,
  parseDayAndTime,
  importedAccountKey,
  importedRowKey,
  isImportedKey,
  maskOf,
  splitSignedAmount,
} from '../../../../domain/imports/imported-data.js';
import { normalizeAccountType } from '../../../../domain/imports/normalize-account-type.js';

describe('Imported data', () => {
  it.each<[string, { date: string; datetime: string | null } | null]>([
    ['2026-02-03', { date: '2026-02-03', datetime: null }],
    ['2026-02-03T00:00:00', { date: '2026-02-03', datetime: null }],
    ['2026-02-03T09:12', { date: '2026-02-03', datetime: '2026-02-03T09:12:00.000' }],
    ['2026-02-03 09:12:07', { date: '2026-02-03', datetime: '2026-02-03T09:12:07.000' }],
    ['2026-02-03T23:30:00.5-08:00', { date: '2026-02-03', datetime: '2026-02-03T23:30:00.500' }],
    ['2026-02-03T09:12:07.123456Z', { date: '2026-02-03', datetime: '2026-02-03T09:12:07.123' }],
    ['2026-02-30', null],
    ['2026-02-03T24:00:00', null],
    ['2026-02-03T10:60', null],
    ['03.02.2026', null],
    ['', null],
    ['2026-02-03T', null],
  ])('keeps the day and time of "%s" as written', (text, expected) => {
    expect(parseDayAndTime(text)).toEqual(expected);
  });

  it('keeps the amount and derives its direction', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), (cents) => {
        const { amount, type } = splitSignedAmount(new Decimal(cents).div(100));
        expect({ cents: amount.mul(100).toNumber(), type }).toEqual({
          cents: Math.abs(cents),
          type: cents < 0 ? 'debit' : 'credit',
        });
      }),
    );
  });

  it.each([
    ['****1101', '1101'],
    ['xx-12345', '2345'],
    ['99', '99'],
    ['  ', null],
    [null, null],
  ])('stores of the mask %s only the part that identifies the account', (given, expected) => {
    expect(maskOf(given)).toBe(expected);
  });

  it.each([
    ['food_and_drink.groceries', 'food_and_drink.groceries'],
    [' Income.Wages ', 'income.wages'],
    ['groceries', null],
    ['food_and_drink.nothing', null],
    [null, null],
  ])('has no guessed category for %s', (given, expected) => {
    expect(categoryOf(given)).toBe(expected);
  });

  it('accepts every account type in any spelling', () => {
    for (const type of ACCOUNT_TYPES) {
      expect(normalizeAccountType(type)).toBe(type);
      expect(normalizeAccountType(` ${type.toUpperCase()} `)).toBe(type);
    }
    expect(normalizeAccountType('constructor')).toBe('unknown');
  });

  it('has keys that no other account or row has', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.string(),
        fc.string(),
        (account, row, otherAccount, otherRow) => {
          const [one, other] = [
            importedRowKey({ accountOriginalId: account, originalId: row }, 'u'),
            importedRowKey({ accountOriginalId: otherAccount, originalId: otherRow }, 'u'),
          ];
          expect(one === other).toBe(account === otherAccount && row === otherRow);
          expect(isImportedKey(one) && isImportedKey(importedAccountKey(account))).toBe(true);
        },
      ),
    );
    expect(importedRowKey({ accountOriginalId: 'a', originalId: null }, 'u1')).not.toBe(
      importedRowKey({ accountOriginalId: 'a', originalId: null }, 'u2'),
    );
  });
});
