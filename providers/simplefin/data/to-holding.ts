import type { Decimal } from 'decimal.js';
import type { FetchedHolding } from '../../../domain/investments/fetched-holding.js';
import { inMainCurrency, mainCurrency } from '../../../domain/investments/main-currency.js';
import { SECURITY_TYPES, type SecurityType } from '../../../domain/investments/security-types.js';
import { plainText } from '../../http/plain-text.js';
import { realDay } from '../../http/real-day.js';
import { Unreadable, type ReadScope } from '../../http/read-scope.js';
import { RemoteObject } from '../../http/remote-object.js';

const MAX_ID = 200;
const MAX_NAME = 200;
const MAX_SYMBOL = 50;
const MAX_REPORTED = 100;

export interface HoldingContext {
  accountId: string;
  /** The currency of the account. */
  currency: string;
  scope: ReadScope;
}

/**
 * Translates a holding: quantity in units, value and cost in the main currency. Zero as a price paid
 * or a cost means unknown. `created` is the time at which the server made the record, not a day of
 * the price.
 * @throws Unreadable without a quantity
 */
export function toHolding(
  value: unknown,
  { accountId, currency: accountCurrency, scope }: HoldingContext,
): FetchedHolding {
  const remote = new RemoteObject(value, 'holding', scope);
  const quantity = remote.figure('shares');
  const symbol = symbolOf(remote);
  const { currency, divisor } = unitOf(remote, symbol, accountCurrency);
  const known = (field: string): Decimal | null => {
    const amount = remote.maybe(field, (it) => it.figure(field));
    return amount === null || amount.isZero() ? null : inMainCurrency(amount, divisor);
  };
  const marketValue = remote.expected((it) => it.figure('market_value'));
  const worth = marketValue === null ? null : inMainCurrency(marketValue, divisor);
  const stated = statedFacts(remote);
  return {
    providerAccountId: accountId,
    providerHoldingId: optionalText(remote, 'id', MAX_ID),
    security: {
      ownId: null,
      name: remote.plain('description', MAX_NAME),
      symbol,
      exchange: null,
      isin: null,
      cusip: null,
      sedol: null,
      figi: null,
      type: stated.type,
      subtype: null,
      currency,
      isCashEquivalent: null,
      option: null,
      fixedIncome: null,
    },
    quantity,
    price: null,
    priceAsOf: stated.priceAsOf,
    value: worth,
    currency,
    cost: {
      reported: reportedText(remote.any('cost_basis')),
      basis: known('cost_basis'),
      pricePaid: known('purchase_price')?.abs() ?? null,
      isTotal: stated.isTotal,
    },
    lots: [],
    vestedQuantity: null,
    contributionSource: null,
    isCash: symbol === currency && worth !== null && worth.eq(quantity) ? true : null,
    acquiredOn: null,
    subAccount: null,
  };
}

/**
 * The unit of the figures. Servers send no currency, one that is not money, or the symbol of a coin:
 * the figures are then in the currency of the account.
 */
function unitOf(
  remote: RemoteObject,
  symbol: string | null,
  accountCurrency: string,
): { currency: string; divisor: 1 | 100 } {
  const code =
    remote.any('currency') === ''
      ? null
      : remote.maybe('currency', (it) => {
          const text = it.text('currency', { max: 2_048 });
          if (text === symbol || /^[A-Za-z]{3}$/.test(text)) return text;
          throw new Unreadable('holding', 'currency', 'impossible', 'a currency code');
        });
  return code === null || code === symbol
    ? { currency: accountCurrency, divisor: 1 }
    : mainCurrency(code);
}

const symbolOf = (remote: RemoteObject): string | null =>
  optionalText(remote, 'symbol', MAX_SYMBOL)?.trim() || null;

/** An empty text is as good as none. */
const optionalText = (remote: RemoteObject, field: string, max: number): string | null =>
  remote.any(field) === '' ? null : remote.maybe(field, (it) => it.text(field, { max }));

/** The cost as it came, readable or not. */
function reportedText(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null;
  return typeof value === 'string' ? plainText(value, MAX_REPORTED) : null;
}

/** The facts that another Tributary states in `extra` (native-api 3.11). */
function statedFacts(remote: RemoteObject): {
  isTotal: boolean;
  type: SecurityType | null;
  priceAsOf: string | null;
} {
  const extra = remote.any('extra');
  const facts: Record<string, unknown> =
    typeof extra === 'object' && extra !== null ? { ...extra } : {};
  const { cost_basis: cost, security_type: type, price_as_of: day } = facts;
  return {
    isTotal: cost === 'total',
    type: SECURITY_TYPES.find((known) => known === type) ?? null,
    priceAsOf: typeof day === 'string' ? realDay(day) : null,
  };
}
