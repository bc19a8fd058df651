import { Decimal } from 'decimal.js';
import { parseOptionSymbol } from '../../../../../../domain/investments/option-symbol.js';
import { minorDigits } from '../../../../../../domain/simplefin/minor-digits.js';
import type { SandboxData } from '../../../sandbox/custom-sandbox-data.schema.js';
import type {
  OverrideHolding,
  OverrideSecurity,
  OverrideTrade,
} from './override-investments.schema.js';

type Holding = NonNullable<SandboxData['holdings']>[number];
type Trade = NonNullable<SandboxData['investment_transactions']>[number];
type SecurityType = NonNullable<Holding['security']['type']>;

/** The sandbox bank has no word for loans and other securities. */
const bankTypeOf = (type: OverrideSecurity['type']): SecurityType | null =>
  type === undefined || type === 'loan' || type === 'other' ? null : type;

/** Plaid's units in one of ours; `securityUnits` is the inverse. Source: plaid-compat 6.9. */
const UNITS: Readonly<Partial<Record<SecurityType, string>>> = {
  derivative: '100',
  fixed_income: '0.01',
};

/** @param account its place in the list of accounts */
export function toHolding(given: OverrideHolding, account: number): Holding {
  const security = toSecurity(given.security);
  return {
    account,
    security,
    quantity: quantityOf(given.quantity, security.type),
    price: figure(given.institution_price),
    price_as_of: given.institution_price_as_of,
    cost_basis: given.cost_basis,
    currency: given.currency,
  };
}

/**
 * A movement with the money that Plaid's quantity, price and fees make: positive leaves the account
 * there, and negative here. A transfer moves no money but its fees.
 */
export function toMovement(
  given: OverrideTrade,
  { account, currency }: { account: number; currency: string },
): Trade {
  const security = isIdentified(given.security) ? toSecurity(given.security) : undefined;
  const value = given.type === 'transfer' ? 0 : new Decimal(given.quantity).times(given.price);
  const out = new Decimal(value)
    .plus(given.fees)
    .toDecimalPlaces(minorDigits(given.currency ?? currency));
  return {
    account,
    security,
    type: given.type === 'cash' ? (out.isPositive() ? 'withdrawal' : 'deposit') : given.type,
    date: given.date,
    quantity: quantityOf(given.quantity, security?.type),
    price: figure(given.price),
    amount: out.isZero() ? 0 : out.negated().toNumber(),
    fees: given.fees,
    currency: given.currency,
    description: given.name,
  };
}

/** A movement shows no security that has a name alone, so its figures must need none. */
const isIdentified = (security: OverrideSecurity | undefined): security is OverrideSecurity =>
  (security?.ticker_symbol ?? security?.isin ?? security?.cusip ?? security?.sedol) !== undefined;

function toSecurity({ ticker_symbol: symbol, type, ...given }: OverrideSecurity) {
  const isOption = symbol !== undefined && parseOptionSymbol(symbol) !== null;
  return {
    ...given,
    symbol,
    type: isOption ? 'derivative' : bankTypeOf(type),
  } satisfies Holding['security'];
}

const quantityOf = (quantity: number, type: SecurityType | null | undefined): string =>
  new Decimal(quantity).div(UNITS[type ?? 'equity'] ?? 1).toFixed();

const figure = (value: number): string => new Decimal(value).toFixed();
