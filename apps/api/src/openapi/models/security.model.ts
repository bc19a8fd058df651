import { z } from 'zod';
import { SECURITY_TYPES } from '../../../../../domain/investments/security-types.js';
import { currency, day, idOf, percentage, unsignedMoney } from './values.model.js';

export const securityId = idOf('sct_').meta({
  id: 'SecurityId',
  description: 'The id of a security within one institution. Opaque and case-sensitive.',
});

/** Quantities and prices: a JavaScript number keeps 15 to 17 digits of up to 38. */
export const decimalText = z
  .string()
  .regex(/^-?\d{1,19}(\.\d{1,19})?$/)
  .meta({
    id: 'DecimalText',
    description: 'An exact decimal as text, without exponent and closing zeros.',
    examples: ['84.317'],
  });

const option = z
  .object({
    underlying_symbol: z.string().describe('The symbol of the underlying security.'),
    kind: z
      .enum(['put', 'call'])
      .meta({ id: 'OptionKind', description: 'The right to sell or to buy.' }),
    expires_on: day.describe('The last day of the right.'),
    strike_price: decimalText.describe('Per unit of the underlying security.'),
    contract_size: decimalText
      .nullable()
      .describe('Units of the underlying security of one contract.'),
  })
  .meta({ id: 'SecurityOption', description: 'The terms of an option.' });

const fixedIncome = z
  .object({
    face_value: unsignedMoney.nullable().describe('Of one unit.'),
    coupon_rate: percentage.nullable().describe('The interest of the bond.'),
    yield_to_maturity: percentage.nullable().describe('The yield until its repayment.'),
    matures_on: day.nullable().describe('The day of repayment.'),
    issued_on: day.nullable().describe('The day of issue.'),
  })
  .meta({ id: 'SecurityFixedIncome', description: 'The terms of a bond.' });

/** Source: native-api 4.15. */
export const security = z
  .object({
    security_id: securityId,
    name: z.string().nullable().describe('As the source names it.'),
    symbol: z.string().nullable().describe('The symbol under which it trades.'),
    exchange: z.string().nullable().describe('The code of its market (ISO 10383).'),
    isin: z.string().nullable().describe('International securities identification number.'),
    cusip: z.string().nullable().describe('North American identifier.'),
    sedol: z.string().nullable().describe('Identifier of the London Stock Exchange.'),
    figi: z.string().nullable().describe('Financial instrument global identifier.'),
    type: z
      .enum(SECURITY_TYPES)
      .meta({ id: 'SecurityType', description: 'The type of a security.' })
      .nullable()
      .describe('As the source states; never guessed.'),
    subtype: z.string().nullable().describe('An open list.'),
    currency: currency.nullable().describe('The currency in which it trades.'),
    is_cash_equivalent: z.boolean().nullable().describe('It is as good as money.'),
    option: option.nullable().describe('Only of options.'),
    fixed_income: fixedIncome.nullable().describe('Only of bonds.'),
  })
  .meta({
    id: 'Security',
    description: 'What an account holds or trades. Null = the source does not state it.',
  });
