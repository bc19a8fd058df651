import { Decimal } from 'decimal.js';
import { inMainCurrency, mainCurrency } from '../../../../domain/investments/main-currency.js';
import { parseOptionSymbol } from '../../../../domain/investments/option-symbol.js';
import {
  cusipInIsin,
  isCusip,
  isFigi,
  isIsin,
  isSedol,
} from '../../../../domain/investments/security-identifiers.js';

// cspell:ignore YBKJ BLNNH

const KINDS = { ISIN: isIsin, CUSIP: isCusip, SEDOL: isSedol, FIGI: isFigi };
const VALID: [kind: keyof typeof KINDS, text: string][] = [
  ['ISIN', 'US0378331005'],
  ['ISIN', 'GB0002634946'],
  ['ISIN', 'CA82509L1076'],
  ['ISIN', 'DE000BASF111'],
  ['CUSIP', '037833100'],
  ['CUSIP', '38259P508'],
  ['CUSIP', '912828YK0'],
  ['CUSIP', 'G0177J108'],
  ['SEDOL', '0263494'],
  ['SEDOL', 'B0YBKJ7'],
  ['FIGI', 'BBG000B9XRY4'],
  ['FIGI', 'BBG000BLNNH6'],
];

describe('An identifier of a security', () => {
  it.each(VALID)('%s %s is valid', (kind, text) => {
    expect(KINDS[kind](text)).toBe(true);
  });

  it.each(VALID)('%s %s is invalid with any other last digit', (kind, text) => {
    const others = [...'0123456789'].filter((digit) => digit !== text.at(-1));
    expect(others.filter((digit) => KINDS[kind](text.slice(0, -1) + digit))).toEqual([]);
  });

  it.each<[kind: keyof typeof KINDS, text: string]>([
    ['ISIN', 'us0378331005'],
    ['ISIN', 'US037833100'],
    ['CUSIP', '37833100'],
    ['SEDOL', 'A263494'],
    ['FIGI', 'BBX000B9XRY4'],
    ['FIGI', 'GBG000B9XRY4'],
  ])('%s %s is invalid by its form', (kind, text) => {
    expect(KINDS[kind](text)).toBe(false);
  });

  it('contains a CUSIP if it is an ISIN of the United States or Canada', () => {
    expect(cusipInIsin('US0378331005')).toBe('037833100');
    expect(cusipInIsin('CA82509L1076')).toBe('82509L107');
    expect(cusipInIsin('GB0002634946')).toBeNull();
    expect(cusipInIsin('US0378331006')).toBeNull();
  });
});

describe('The symbol of an option', () => {
  it.each(['AAPL  260619C00252500', 'AAPL260619C00252500', ' AAPL  260619C00252500 '])(
    'is read from "%s"',
    (symbol) => {
      expect({ ...parseOptionSymbol(symbol), strikePrice: null }).toEqual({
        underlyingSymbol: 'AAPL',
        kind: 'call',
        expiresOn: '2026-06-19',
        strikePrice: null,
        contractSize: null,
      });
      expect(parseOptionSymbol(symbol)?.strikePrice.toFixed()).toBe('252.5');
    },
  );

  it('states a put, and the root of an adjusted contract', () => {
    expect(parseOptionSymbol('XYZ1  270115P00000500')).toMatchObject({
      underlyingSymbol: 'XYZ1',
      kind: 'put',
      expiresOn: '2027-01-15',
    });
  });

  it.each(['AAPL', 'AAPL  260231C00252500', 'AAPL  260619X00252500', 'AAPL  260619C252.50', ''])(
    'is not "%s"',
    (symbol) => {
      expect(parseOptionSymbol(symbol)).toBeNull();
    },
  );
});

describe('The main currency', () => {
  it.each([
    ['GBX', 'GBP', 100],
    ['GBp', 'GBP', 100],
    ['GBx', 'GBP', 100],
    ['ZAc', 'ZAR', 100],
    ['ZAC', 'ZAR', 100],
    ['ILA', 'ILS', 100],
    ['GBP', 'GBP', 1],
    ['gbp', 'GBP', 1],
    ['ZAR', 'ZAR', 1],
    ['usd', 'USD', 1],
  ])('of %s is %s with %i units', (code, currency, divisor) => {
    expect(mainCurrency(code)).toEqual({ currency, divisor });
  });

  it('has every digit of an amount in its hundredths', () => {
    const pence = new Decimal('1234567890123456789.12345678901234567');
    expect(inMainCurrency(pence, 100).toFixed()).toBe('12345678901234567.8912345678901234567');
    expect(inMainCurrency(pence, 1).equals(pence)).toBe(true);
  });
});
