import type { Decimal } from 'decimal.js';
import { cents, Exact, figureIn } from '../accounts/figures.js';
import { derivedId, type CustomerIdentity } from '../customers/customer.js';
import type { BankHolding } from './bank-holding.js';
import type { HoldingsChange } from './holdings-change.js';
import { quotedIn } from './quoted-in.js';
import type { Security } from './security.js';

/** A row of the list as the bank would show it by itself, and its value in main currency. */
export interface ListedHolding {
  holding: BankHolding;
  value: Decimal;
}

/** The row after the steps that name it; null = it was dropped. */
export function scriptedHolding(
  { holding, value }: ListedHolding,
  { shown, priceFactor }: Pick<Security, 'shown' | 'priceFactor'>,
  changes: readonly HoldingsChange[],
): ListedHolding | null {
  const own = changes.filter((it) => 'holding' in it && it.holding === holding.holding_id);
  if (own.some(({ verb }) => verb === 'drop')) return null;
  const fields: Record<string, unknown> = {};
  const security = { ...holding.security };
  for (const step of own) {
    if (step.verb !== 'set') continue;
    const { security: ofSecurity, ...others } = step.fields;
    Object.assign(fields, others);
    Object.assign(security, ofSecurity);
  }
  const set = { ...holding, ...fields, security } as BankHolding;
  const inMain = (figure: Decimal) => (shown.currency === 'GBX' ? figure.dividedBy(100) : figure);
  if ('value' in fields) {
    const figure = figureIn(set.value);
    return { holding: set, value: figure === null ? value : inMain(figure) };
  }
  if (!('price' in fields || 'quantity' in fields)) return { holding: set, value };
  const [price, quantity] = [figureIn(set.price), figureIn(set.quantity)];
  if (price === null || quantity === null) return { holding: set, value };
  const valueOf = (units: Decimal | string) =>
    cents(inMain(new Exact(units).times(price)).times(priceFactor));
  const quoted = quotedIn(shown.currency);
  const worth = valueOf(quantity);
  return {
    holding: {
      ...set,
      value: quoted(worth),
      lots:
        'lots' in fields
          ? set.lots
          : set.lots.map((lot) => ({ ...lot, value: quoted(valueOf(lot.quantity)) })),
    },
    value: worth,
  };
}

/** The id of a row after its ids were issued again that many times. */
export const reissuedId = (customer: CustomerIdentity, first: string, times: number): string =>
  times === 0 ? first : derivedId('hold', customer, first, String(times));

export const reissuesIn = (changes: readonly HoldingsChange[]): number =>
  changes.filter(({ verb }) => verb === 'reissue_ids').length;
