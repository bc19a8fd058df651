// cspell:ignore Surce
import type { Decimal } from 'decimal.js';
import type { FetchedHolding } from '../../../../domain/investments/fetched-holding.js';
import type { SecurityType } from '../../../../domain/investments/security-types.js';
import { Unreadable, type ReadScope } from '../../../http/read-scope.js';
import { RemoteObject } from '../../../http/remote-object.js';
import {
  figureOf,
  firstFigure,
  optionalDay,
  optionalFigure,
  optionalSize,
  optionalWord,
} from '../optional-fields.js';
import { isCashHolding } from './security-kinds.js';
import { statedUnit } from './stated-unit.js';
import { toLots } from './to-lots.js';
import { securityOfHolding } from './to-security.js';

const MAX_ID = 256;

export interface HoldingContext {
  accountId: string;
  /** The currency of the account. */
  currency: string;
  scope: ReadScope;
}

/**
 * Translates a holding: quantity in units, face value of a bond, contracts of an option; money in
 * the main currency. A short position is negative, and so are its value and its lots.
 * `purchasedPrice` is a price, and zero there means that it is unknown.
 * @throws Unreadable without a quantity
 */
export function toHolding(
  value: unknown,
  { accountId, currency, scope }: HoldingContext,
): FetchedHolding {
  const remote = new RemoteObject(value, 'holding', scope);
  const unit = statedUnit(remote, currency);
  const security = securityOfHolding(remote, unit);
  const isCash = isCashHolding(remote);
  const marketValue = unit.inMainUnit(remote.expected((it) => figureOf(it, 'marketValue')));
  const quantity = quantityOf(remote, security.type) ?? (isCash === true ? marketValue : null);
  if (quantity === null) throw new Unreadable('holding', 'units', 'missing', 'a quantity');
  const isShort = optionalWord(remote, 'positionType') === 'SHORT' || quantity.isNegative();
  const signed = (figure: Decimal): Decimal =>
    isShort && !figure.isZero() ? figure.abs().negated() : figure;
  const lots = toLots(remote, { isShort, unit, scope });
  const pricePaid = unit.inMainUnit(optionalFigure(remote, 'purchasedPrice'));
  return {
    providerAccountId: accountId,
    providerHoldingId: optionalWord(remote, 'holdingId', MAX_ID),
    security,
    quantity: signed(quantity),
    price: unit.inMainUnit(optionalSize(remote, 'currentUnitPrice')),
    priceAsOf: optionalDay(remote, 'currentUnitPriceDate'),
    value: marketValue && signed(marketValue),
    currency: unit.currency,
    cost: {
      reported: null,
      basis: null,
      pricePaid: pricePaid === null || pricePaid.isZero() ? null : pricePaid.abs(),
      isTotal: false,
    },
    lots,
    vestedQuantity: null,
    contributionSource: contributionSourceOf(remote),
    isCash,
    // The day of a position with lots is that of its oldest one, which a sale changes.
    acquiredOn: lots.length > 0 ? null : optionalDay(remote, 'originalPurchaseDate'),
    subAccount: optionalWord(remote, 'heldInAccount')?.toLowerCase() ?? null,
  };
}

/** Banks that have `digitalUnits` round `units`. */
function quantityOf(remote: RemoteObject, type: SecurityType | null): Decimal | null {
  const fields = type === 'fixed_income' ? ['faceValue'] : [];
  return firstFigure(remote, ...fields, 'digitalUnits', 'units');
}

/** Some published models misspell the field, and so do banks. */
function contributionSourceOf(remote: RemoteObject): string | null {
  const source = optionalWord(remote, 'inv401kSource') ?? optionalWord(remote, 'inv401kSurce');
  return source?.toLowerCase() ?? null;
}
