import type { Decimal } from 'decimal.js';
import type { RemoteObject } from '../../../http/remote-object.js';
import { optionalDay, optionalSize, optionalWord } from '../optional-fields.js';

const MAX_ENTRIES = 1_000;

interface Vesting {
  symbol: string;
  date: string;
  quantity: Decimal;
}

/**
 * The vested units by symbol: of each symbol, the only entry of the latest day that has come. The
 * schedule also lists days ahead.
 */
export function vestedQuantities(
  details: RemoteObject,
  today: string,
): ReadonlyMap<string, Decimal> {
  const entries = details
    .parts('vesting', MAX_ENTRIES, toVesting)
    .filter((entry): entry is Vesting => entry !== null && entry.date <= today);
  const symbols = new Set(entries.map(({ symbol }) => symbol));
  return new Map(
    [...symbols].flatMap((symbol): [string, Decimal][] => {
      const its = entries.filter((entry) => entry.symbol === symbol);
      const last = its.reduce((latest, { date }) => (date > latest ? date : latest), '');
      const [latest, ...others] = its.filter(({ date }) => date === last);
      return latest === undefined || others.length > 0 ? [] : [[symbol, latest.quantity]];
    }),
  );
}

function toVesting(entry: RemoteObject): Vesting | null {
  const symbol = optionalWord(entry, 'symbol');
  const date = optionalDay(entry, 'vestingDate');
  const quantity = optionalSize(entry, 'vestedQuantity');
  return symbol === null || date === null || quantity === null ? null : { symbol, date, quantity };
}
