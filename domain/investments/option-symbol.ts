import { Decimal } from 'decimal.js';
import type { FetchedOption } from './fetched-security.js';

/** Root of up to 6 characters, YYMMDD, call or put, strike in thousandths. */
const OCC = /^([A-Z][A-Z0-9]{0,5}) *(\d{2})(\d{2})(\d{2})([CP])(\d{8})$/;

/**
 * Reads the symbol of an option in the form of the Options Clearing Corporation, padded or not:
 * `AAPL  260619C00250000`. It does not state the contract size.
 * @returns null for every other symbol
 */
export function parseOptionSymbol(symbol: string): FetchedOption | null {
  const [, root, year, month, day, kind, strike] = OCC.exec(symbol.trim()) ?? [];
  if (root === undefined || strike === undefined) return null;
  const expiresOn = `20${year}-${month}-${day}`;
  if (!isDay(expiresOn)) return null;
  return {
    underlyingSymbol: root,
    kind: kind === 'C' ? 'call' : 'put',
    expiresOn,
    strikePrice: new Decimal(strike).div(1000),
    contractSize: null,
  };
}

function isDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
