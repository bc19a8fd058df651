import { derivedId } from '../ledger/draws.js';
import type { Account, Position } from '../ledger/ledger.types.js';

/** A day of the record, which is not a day of the price. */
const CREATED = 1_772_939_703;

/** The list that users of the Bridge report. Unknown figures are zero there. */
export const holdingsOf = ({ positions, costStyle }: Account) =>
  positions.map((position) => ({
    id: `HOL-${derivedId('simplefin', 'HOL', position.id)}`,
    created: CREATED,
    currency: '',
    cost_basis: costOf(position, costStyle) ?? '0.00',
    description: position.name,
    market_value: position.value,
    purchase_price: (costStyle === 'no_price_paid' ? null : position.pricePaid) ?? '0.00',
    shares: position.units,
    symbol: position.symbol ?? '',
  }));

const costOf = ({ paid, pricePaid }: Position, style: Account['costStyle']): string | null =>
  style === 'per_unit' ? pricePaid : paid;
