import type { RawHolding, RawLiability } from '../../../domain/sandbox/investment-script.js';

/** A field of the bank's API, and the bank's words for its values. */
interface BankField {
  name: string;
  words?: Readonly<Record<string, string>>;
}

const KINDS_OF_SECURITIES = {
  equity: 'SHARE',
  etf: 'ETF',
  mutual_fund: 'FUND',
  fixed_income: 'BOND',
  derivative: 'OPTION',
  cryptocurrency: 'COIN',
  cash: 'MONEY_MARKET',
};
const KINDS_OF_DEBTS = {
  credit: 'CARD',
  line_of_credit: 'LINE_OF_CREDIT',
  mortgage: 'MORTGAGE',
  student: 'STUDENT_LOAN',
  loan: 'LOAN',
};

/** By the path of the field; any other has the same name at the bank. */
const HOLDING_FIELDS: Readonly<Record<string, BankField>> = {
  price_as_of: { name: 'price_date' },
  'lots.price_paid': { name: 'purchase_price' },
  'security.type': { name: 'kind', words: KINDS_OF_SECURITIES },
  'security.is_cash_equivalent': { name: 'cash_equivalent' },
  'security.option.kind': { name: 'right', words: { put: 'PUT', call: 'CALL' } },
  'security.option.strike_price': { name: 'strike' },
  'security.fixed_income': { name: 'bond' },
  'security.fixed_income.coupon_rate': { name: 'coupon' },
  'security.fixed_income.yield_to_maturity': { name: 'yield' },
};
const LIABILITY_FIELDS: Readonly<Record<string, BankField>> = {
  kind: { name: 'kind', words: KINDS_OF_DEBTS },
  limit: { name: 'credit_limit' },
  available: { name: 'available_credit' },
  escrow: { name: 'escrow_balance' },
  'rates.kind': {
    name: 'kind',
    words: {
      purchase: 'PURCHASE',
      cash: 'CASH',
      balance_transfer: 'BALANCE_TRANSFER',
      penalty: 'PENALTY',
      special: 'SPECIAL',
    },
  },
  'rates.percentage': { name: 'apr' },
  'rates.interest_charged': { name: 'interest' },
  'interest_rate.type': { name: 'type', words: { fixed: 'FIXED', variable: 'VARIABLE' } },
};

/** Translates fields of a holding into the bank's names and words; other values stay as they are. */
export const toBankHolding = (fields: RawHolding) => translated(fields, HOLDING_FIELDS, '');

/** Translates fields of a debt like `toBankHolding`. */
export function toBankLiability({ principal, ...fields }: RawLiability) {
  return {
    ...translated(fields, LIABILITY_FIELDS, ''),
    ...(principal === undefined
      ? {}
      : {
          original_principal: principal?.original ?? null,
          outstanding_principal: principal?.outstanding ?? null,
        }),
  };
}

function translated(
  fields: object,
  table: Readonly<Record<string, BankField>>,
  path: string,
): Record<string, unknown> {
  const entries = Object.entries(fields).map(([field, value]: [string, unknown]) => {
    const { name, words } = table[path + field] ?? { name: field };
    return [name, inWords(value, words) ?? within(value, table, `${path}${field}.`)];
  });
  return Object.fromEntries(entries);
}

const inWords = (value: unknown, words: BankField['words'] = {}): string | undefined =>
  typeof value === 'string' && Object.hasOwn(words, value) ? words[value] : undefined;

function within(value: unknown, table: Readonly<Record<string, BankField>>, path: string): unknown {
  if (Array.isArray(value)) return value.map((part: unknown) => within(part, table, path));
  return typeof value === 'object' && value !== null ? translated(value, table, path) : value;
}
