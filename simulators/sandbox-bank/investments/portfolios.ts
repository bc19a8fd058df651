import type { Decimal } from 'decimal.js';
import { Exact, sumOf } from '../accounts/figures.js';
import type { Customer } from '../customers/customer.js';
import type { HoldingsChange } from './holdings-change.js';
import { investmentAccountsOf, marketOf, type InvestmentAccount } from './investment-accounts.js';
import type { Market } from './market.js';
import { moneyMovement, trade, unpaidMovement, type Movement } from './movement.js';
import { TRADED } from './security-list.js';
import type { Security } from './security.js';

/** The investment accounts of a permission, and the prices in them. */
export interface Portfolios {
  accounts: readonly InvestmentAccount[];
  market: Market;
}

/** Everything that happened in the accounts until today, by itself and by scripts. */
export function portfoliosOf(
  customer: Customer,
  today: number,
  changes: readonly HoldingsChange[],
): Portfolios {
  const market = marketOf(customer);
  const accounts = investmentAccountsOf(customer, market, today);
  const securities = new Map(
    [
      ...TRADED,
      ...accounts.flatMap(({ movements }) => movements.flatMap((it) => it.security ?? [])),
    ].map((security) => [security.key, security]),
  );
  return {
    market: withSplits(market, changes),
    accounts: accounts.map((account) => ({
      ...account,
      movements: movementsWith(account, changes, { market, securities }).map((movement) =>
        renamed(movement, changes),
      ),
    })),
  };
}

/** A split by a script divides the price from its day on, also where the quote is older. */
function withSplits(market: Market, changes: readonly HoldingsChange[]): Market {
  const after = (price: Decimal, security: Security, day: number): Decimal =>
    changes.reduce<Decimal>(
      (left, change) =>
        change.verb === 'split' && change.security === security.key && change.day <= day
          ? left.dividedBy(change.ratio).toDecimalPlaces(8)
          : left,
      price,
    );
  return {
    priceOn: (security, day) => after(market.priceOn(security, day), security, day),
    quoteOn(security, day) {
      const quote = market.quoteOn(security, day);
      return { ...quote, price: after(quote.price, security, day) };
    },
  };
}

/**
 * The bank's own movements, and those of scripts. A position that a script has moved is moved by
 * scripts alone from then on, apart from splits and the end of an option.
 */
function movementsWith(
  { accountId, movements }: InvestmentAccount,
  changes: readonly HoldingsChange[],
  { market, securities }: { market: Market; securities: ReadonlyMap<string, Security> },
): Movement[] {
  const happened: Movement[] = [];
  const scripted = new Set<string>();
  const heldOf = (position: string): Decimal =>
    sumOf(happened.flatMap((it) => (positionOf(it) === position ? (it.quantity ?? []) : [])));

  function happen(movement: Movement): void {
    const position = positionOf(movement);
    if (position === null || !scripted.has(position)) {
      happened.push(movement);
      return;
    }
    const held = heldOf(position);
    if (held.isZero()) return;
    if (movement.ratio !== null)
      happened.push({ ...movement, quantity: held.times(movement.ratio.minus(1)) });
    if (movement.code === 'EXPIRED') happened.push({ ...movement, quantity: held.negated() });
  }

  function change(step: HoldingsChange): void {
    if (!('security' in step) || step.verb === 'rename') return;
    const security = securities.get(step.security);
    if (security === undefined) return;
    const { key, day } = step;
    if (step.verb === 'split') {
      const ratio = new Exact(step.ratio);
      const sources = happened.flatMap((it) =>
        it.security?.key === security.key ? [it.source] : [],
      );
      for (const source of new Set(sources)) {
        const position = positionKey(security, source);
        const held = heldOf(position);
        scripted.add(position);
        if (!held.isZero())
          happened.push(
            unpaidMovement({
              key: `${key}/${source ?? ''}`,
              day,
              code: 'SPLIT',
              security,
              source,
              quantity: held.times(ratio.minus(1)),
              ratio,
            }),
          );
      }
      return;
    }
    if (step.accountId !== accountId) return;
    const { source } = step;
    if (step.verb === 'dividend') {
      const gross = new Exact(step.amount);
      const taxes = step.taxes === null ? null : new Exact(step.taxes);
      const amount = gross.minus(taxes ?? 0);
      happened.push(
        moneyMovement({ key, day, code: 'DIVIDEND', security, source, gross, taxes, amount }),
      );
      return;
    }
    const quantity = new Exact(step.quantity);
    const position = positionKey(security, source);
    const sale = heldOf(position).greaterThan(0) ? 'SOLD' : 'SOLD_SHORT';
    scripted.add(position);
    happened.push(
      trade(market, {
        key,
        day,
        code: quantity.isNegative() ? sale : 'BOUGHT',
        security,
        source,
        quantity,
        price: new Exact(step.price),
        fees: step.fees === null ? null : new Exact(step.fees),
      }),
    );
  }

  const moved = changes.flatMap((step) =>
    'day' in step ? [{ day: step.day, happens: () => change(step) }] : [],
  );
  const own = movements.map((it) => ({ day: it.day, happens: () => happen(it) }));
  for (const { happens } of [...own, ...moved].toSorted((a, b) => a.day - b.day)) happens();
  return happened;
}

const positionKey = ({ key }: Security, source: string | null): string =>
  JSON.stringify([key, source]);

const positionOf = ({ security, source }: Movement): string | null =>
  security === null ? null : positionKey(security, source);

function renamed(movement: Movement, changes: readonly HoldingsChange[]): Movement {
  const { security } = movement;
  if (security === null) return movement;
  const shown = changes.reduce(
    (left, change) =>
      change.verb === 'rename' && change.security === security.key
        ? {
            ...left,
            name: change.name === undefined ? left.name : change.name,
            symbol: change.symbol === undefined ? left.symbol : change.symbol,
          }
        : left,
    security.shown,
  );
  return { ...movement, security: { ...security, shown } };
}
