import { Decimal } from 'decimal.js';
import { Exact } from './exact-decimal.js';

/** Codes of a hundredth of a currency. Case counts: `GBp` are pence, `GBP` pounds. */
const MINOR_UNITS: Readonly<Record<string, string>> = {
  GBX: 'GBP',
  GBx: 'GBP',
  GBp: 'GBP',
  ZAc: 'ZAR',
  ZAC: 'ZAR',
  ILA: 'ILS',
};

const MAIN_CURRENCIES = new Set(Object.values(MINOR_UNITS));

/**
 * The main currency of a code as sent, and the number of the code's units in one unit of it. Figures
 * in the code are divided by it (`inMainCurrency`). A code that is not a minor unit is returned in upper case.
 */
export function mainCurrency(code: string): { currency: string; divisor: 1 | 100 } {
  const main = Object.hasOwn(MINOR_UNITS, code) ? MINOR_UNITS[code] : undefined;
  return main === undefined
    ? { currency: code.toUpperCase(), divisor: 1 }
    : { currency: main, divisor: 100 };
}

/** An amount in units of the main currency; exact, unlike a division of `Decimal`. */
export function inMainCurrency(amount: Decimal, divisor: 1 | 100): Decimal {
  return new Decimal(new Exact(amount).div(divisor));
}

/** True if prices in a main currency may be quoted in hundredths of it. */
export function hasQuotedMinorUnit(currency: string): boolean {
  return MAIN_CURRENCIES.has(currency);
}
