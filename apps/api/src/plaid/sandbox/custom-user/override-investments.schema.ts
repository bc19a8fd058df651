import { z } from 'zod';
import {
  isCusip,
  isIsin,
  isSedol,
} from '../../../../../../domain/investments/security-identifiers.js';
import { SECURITY_TYPES } from '../../../../../../domain/investments/security-types.js';
import { currencyCode } from '../../../schemas/currency.schema.js';
import { text } from '../../../schemas/text.schema.js';
import {
  overrideDay,
  overrideFigure,
  overrideMoney,
  unsignedFigure,
  unsignedMoney,
} from './override-values.schema.js';

const withBlanks = (type: string): string => type.replaceAll('_', ' ');
/** Plaid's words are ours with blanks. */
const securityType = z
  .enum(SECURITY_TYPES.map(withBlanks))
  .transform((word) => SECURITY_TYPES.find((type) => withBlanks(type) === word));

const identifier = (name: string, isValid: (value: string) => boolean) =>
  z.string().refine(isValid, `Must be a valid ${name}, with its check digit.`).optional();

const security = z.object({
  name: text(1, 200).optional(),
  ticker_symbol: text(1, 40).optional(),
  type: securityType.optional(),
  isin: identifier('ISIN', isIsin),
  cusip: identifier('CUSIP', isCusip),
  sedol: identifier('SEDOL', isSedol),
  currency: currencyCode.optional(),
});
export type OverrideSecurity = z.output<typeof security>;

export const overrideHolding = z.object({
  security,
  quantity: overrideFigure,
  institution_price: unsignedFigure,
  institution_price_as_of: overrideDay.optional(),
  cost_basis: overrideMoney.optional(),
  currency: currencyCode.optional(),
});
export type OverrideHolding = z.output<typeof overrideHolding>;

export const overrideTrade = z
  .object({
    security: security.optional(),
    type: z.enum(['buy', 'sell', 'cash', 'fee', 'transfer']),
    date: overrideDay,
    name: text(1, 500),
    quantity: overrideFigure,
    price: unsignedFigure,
    fees: unsignedMoney.default(0),
    currency: currencyCode.optional(),
  })
  .superRefine(({ type, quantity, price, fees }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (Math.abs(quantity * price) + fees > 1e12) refuse('price', 'Must not make more than 1e12.');
    else if (type === 'buy' && quantity <= 0) refuse('quantity', 'Must be positive for a buy.');
    else if (type === 'sell' && quantity >= 0) refuse('quantity', 'Must be negative for a sell.');
    else if (type === 'fee' && quantity < 0) refuse('quantity', 'Must not be negative for a fee.');
    else if (type === 'sell' && quantity * price + fees > 0)
      refuse('fees', 'Must not exceed what the sale brings.');
  });
export type OverrideTrade = z.output<typeof overrideTrade>;
