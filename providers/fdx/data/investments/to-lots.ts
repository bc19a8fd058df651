import type { Decimal } from 'decimal.js';
import type { FetchedLot } from '../../../../domain/investments/fetched-holding.js';
import { Unreadable, type ReadScope } from '../../../http/read-scope.js';
import type { RemoteObject } from '../../../http/remote-object.js';
import { firstFigure, optionalDay, optionalFigure, optionalWord } from '../optional-fields.js';
import type { StatedUnit } from './stated-unit.js';

/** Of one holding. */
const MAX_LOTS = 100;

export interface LotContext {
  isShort: boolean;
  unit: StatedUnit;
  scope: ReadScope;
}

/**
 * The tax lots of a holding. An unreadable one is noted and left out, so that the others do not
 * state the whole cost; a list beyond the maximum makes the account incomplete.
 */
export function toLots(holding: RemoteObject, context: LotContext): FetchedLot[] {
  const listed = holding.any('taxLots');
  if (Array.isArray(listed) && listed.length > MAX_LOTS) {
    const { account, note } = context.scope;
    note({ scope: 'account', account, resource: 'holding', field: 'taxLots', reason: 'too_long' });
    return [];
  }
  return holding.parts('taxLots', MAX_LOTS, (lot) => toLot(lot, context));
}

/** Banks use both spellings of quantity and value. */
function toLot(lot: RemoteObject, { isShort, unit }: LotContext): FetchedLot {
  const quantity = firstFigure(lot, 'quantity', 'units');
  if (quantity === null) throw new Unreadable('lot', 'quantity', 'missing', 'a number');
  const isNegative = isShort || optionalWord(lot, 'positionType') === 'SHORT';
  const signed = (figure: Decimal): Decimal =>
    isNegative && !figure.isZero() ? figure.abs().negated() : figure;
  const costBasis = optionalFigure(lot, 'costBasis');
  const value = firstFigure(lot, 'currentValue', 'marketValue');
  return {
    providerLotId: null,
    acquiredOn: optionalDay(lot, 'originalPurchaseDate'),
    quantity: signed(quantity),
    pricePaid: unit.inMainUnit(optionalFigure(lot, 'purchasedPrice')?.abs() ?? null),
    costBasis: unit.inMainUnit(costBasis && signed(costBasis)),
    value: unit.inMainUnit(value && signed(value)),
  };
}
