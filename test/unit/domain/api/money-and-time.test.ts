import fc from 'fast-check';
import { Decimal } from 'decimal.js';
import { jsonNumber, jsonNumberOrNull } from '../../../../domain/api/money.js';
import {
  addDays,
  apiTimestamp,
  isDay,
  utcDay,
  webhookTimestamp,
} from '../../../../domain/api/timestamps.js';

describe('Money on the wire', () => {
  it.each([
    ['2350.00', '2350'],
    ['0.50', '0.5'],
    ['-0', '0'],
    ['0.000', '0'],
    ['1e21', '1000000000000000000000'],
    ['0.0000001', '0.0000001'],
    ['-12.340', '-12.34'],
    ['123456789012345678901234567890.123456789', '123456789012345678901234567890.123456789'],
  ])('writes %s as %s', (value, text) => {
    expect(jsonNumber(value)).toBe(text);
  });

  it('writes a missing value as null and refuses values that are not finite', () => {
    expect(jsonNumberOrNull(null)).toBe('null');
    expect(() => jsonNumber(Number.NaN)).toThrow(RangeError);
    expect(() => jsonNumber(new Decimal('Infinity'))).toThrow(RangeError);
  });

  it('is a JSON number equal to the decimal, in its shortest form', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
        fc.integer({ min: 0, max: 9 }),
        (digits, places) => {
          const decimal = new Decimal(digits.toString()).div(new Decimal(10).pow(places));
          const text = jsonNumber(decimal);
          expect(new Decimal(text).equals(decimal)).toBe(true);
          expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
        },
      ),
    );
  });
});

describe('Times on the wire', () => {
  const instant = new Date('2026-03-02T10:15:32.418Z');

  it('have no offset in the API and +00:00 in webhooks', () => {
    expect(apiTimestamp(instant)).toBe('2026-03-02T10:15:32.418');
    expect(webhookTimestamp(instant)).toBe('2026-03-02T10:15:32.418+00:00');
  });

  it('count days in UTC across the ends of months and years', () => {
    expect(utcDay(instant)).toBe('2026-03-02');
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
    expect(addDays('2027-12-31', 1)).toBe('2028-01-01');
  });

  it.each([
    ['2026-02-28', true],
    ['2026-02-29', false],
    ['2024-02-29', true],
    ['1900-01-01', true],
    ['1899-12-31', false],
    ['2026-3-2', false],
    ['2026-03-02T00:00:00', false],
  ])('recognize whether %s is a calendar day: %s', (text, known) => {
    expect(isDay(text)).toBe(known);
  });
});
