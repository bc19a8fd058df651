// cspell:ignoreRegExp /\b[A-Z]{4,}\b/g
import type { Decimal } from 'decimal.js';
import { Exact } from '../../../../domain/investments/exact-decimal.js';
import { Unreadable } from '../../../http/read-scope.js';
import type { RemoteObject } from '../../../http/remote-object.js';
import { firstFigure, optionalFigure, optionalWord } from '../optional-fields.js';
import type { Direction, TransactionRule } from './transaction-types.js';

/** Never negative, and not zero. */
export interface PositionChange {
  size: Decimal;
  /** The direction that the row states by a sign; null = its number has none. */
  stated: Direction | null;
}

/** A change of quantity has at most this many decimals, as every stored one. */
const MAX_PLACES = 19;

/** The number of units that a row moves; null = none, or it is unknown. */
export function positionChange(row: RemoteObject, { type, position }: TransactionRule) {
  if (type === 'split') return splitChange(row);
  if (position === 'none') return null;
  // Units of currency are money.
  if (optionalWord(row, 'unitType') === 'CURRENCY') return null;
  // FDX documents the sign of `shares` only.
  const shares = optionalFigure(row, 'shares');
  if (shares !== null && !shares.isZero()) return changeOf(shares, { isSigned: true });
  return changeOf(firstFigure(row, 'digitalUnits', 'units', ...faceValueOf(row)), {
    isSigned: false,
  });
}

const faceValueOf = (row: RemoteObject): string[] =>
  ['BOND', 'DEBT'].includes(optionalWord(row, 'securityType') ?? '') ? ['faceValue'] : [];

function changeOf(
  units: Decimal | null,
  { isSigned }: { isSigned: boolean },
): PositionChange | null {
  if (units === null || units.isZero()) return null;
  const stated = units.isNegative() ? 'out' : isSigned ? 'in' : null;
  return { size: units.abs(), stated };
}

/** New units less old units, one of which may follow from the ratio; else the units of the row. */
function splitChange(row: RemoteObject): PositionChange | null {
  const ratio = splitRatio(row);
  const [sentOld, sentNew] = [optionalFigure(row, 'oldUnits'), optionalFigure(row, 'newUnits')];
  const before = sentOld ?? (sentNew && ratio && new Exact(sentNew).div(ratio));
  const after = sentNew ?? (sentOld && ratio && new Exact(sentOld).times(ratio));
  if (before !== null && after !== null)
    return changeOf(new Exact(after).minus(before).toDecimalPlaces(MAX_PLACES), { isSigned: true });
  return changeOf(firstFigure(row, 'shares', 'digitalUnits', 'units'), { isSigned: true });
}

/** The number of new units for each old one. */
function splitRatio(row: RemoteObject): Decimal | null {
  const numerator = optionalFigure(row, 'splitRatioNumerator');
  const denominator = row.maybe('splitRatioDenominator', (it) => {
    const figure = firstFigure(it, 'splitRatioDenominator');
    if (figure === null || !figure.isZero()) return figure;
    throw new Unreadable('split', 'splitRatioDenominator', 'impossible', 'a divisor');
  });
  if (numerator === null || denominator === null || numerator.isZero()) return null;
  return new Exact(numerator).div(denominator).abs();
}
