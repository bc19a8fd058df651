import type { FetchedSecurity } from '../../../domain/investments/fetched-security.js';
import { inMainCurrency, mainCurrency } from '../../../domain/investments/main-currency.js';
import {
  isCusip,
  isFigi,
  isIsin,
  isSedol,
} from '../../../domain/investments/security-identifiers.js';
import type { SecurityType } from '../../../domain/investments/security-types.js';
import { Unreadable } from '../../http/read-scope.js';
import type { RemoteObject } from '../../http/remote-object.js';

/** The bank's kinds of securities, and their types. */
const TYPE_OF = {
  SHARE: { type: 'equity', subtype: 'common_stock' },
  ETF: { type: 'etf', subtype: 'etf' },
  FUND: { type: 'mutual_fund', subtype: 'mutual_fund' },
  BOND: { type: 'fixed_income', subtype: 'bond' },
  OPTION: { type: 'derivative', subtype: 'option' },
  COIN: { type: 'cryptocurrency', subtype: 'cryptocurrency' },
  MONEY_MARKET: { type: 'cash', subtype: null },
} as const satisfies Readonly<Record<string, { type: SecurityType; subtype: string | null }>>;
export type SecurityKind = keyof typeof TYPE_OF;
const KINDS = Object.keys(TYPE_OF) as SecurityKind[];

const CHECKS = { isin: isIsin, cusip: isCusip, sedol: isSedol, figi: isFigi } as const;

/** Translates a security. Only what is not an object is unreadable: every field may be missing. */
export function toSecurity(security: RemoteObject): FetchedSecurity {
  const kind = kindOf(security);
  const ownId = security.maybe('security_id', (it) => it.text('security_id', { max: 100 }));
  const { currency, divisor } = currencyIn(security) ?? { currency: null, divisor: 1 as const };
  return {
    ownId: ownId === null ? null : { type: 'INSTITUTION', value: ownId },
    name: security.plain('name', 200),
    symbol: security.maybe('symbol', (it) => it.text('symbol', { max: 40 })),
    exchange: security.maybe('exchange', (it) =>
      it.text('exchange', { max: 4, pattern: /^[A-Z0-9]{4}$/ }),
    ),
    isin: identifier(security, 'isin'),
    cusip: identifier(security, 'cusip'),
    sedol: identifier(security, 'sedol'),
    figi: identifier(security, 'figi'),
    ...(kind === null ? { type: null, subtype: null } : TYPE_OF[kind]),
    currency,
    isCashEquivalent: security.maybe('cash_equivalent', (it) => it.boolean('cash_equivalent')),
    option: security.maybe('option', (it) => toOption(it.object('option'), divisor)),
    fixedIncome: security.maybe('bond', (it) => toFixedIncome(it.object('bond'), divisor)),
  };
}

/** The bank's kind of a security; null = none that is known. */
export const kindOf = (security: RemoteObject): SecurityKind | null =>
  security.maybe('kind', (it) => it.oneOf('kind', KINDS));

/** The main currency of an object's figures, and their divisor; null = none that can be read. */
export const currencyIn = (remote: RemoteObject) =>
  remote.maybe('currency', (it) =>
    mainCurrency(it.text('currency', { max: 3, pattern: /^[A-Za-z]{3}$/ })),
  );

/** An identifier with a wrong check digit is none. */
const identifier = (security: RemoteObject, field: keyof typeof CHECKS): string | null =>
  security.maybe(field, (it) => {
    const text = it.text(field, { max: 12 });
    if (!CHECKS[field](text)) throw new Unreadable('security', field, 'impossible', 'valid');
    return text;
  });

function toOption(option: RemoteObject, divisor: 1 | 100): FetchedSecurity['option'] {
  return {
    underlyingSymbol: option.text('underlying_symbol', { max: 40 }),
    kind: option.oneOf('right', ['PUT', 'CALL'] as const) === 'PUT' ? 'put' : 'call',
    expiresOn: option.day('expires_on'),
    strikePrice: inMainCurrency(option.figure('strike'), divisor),
    contractSize: option.maybe('contract_size', (it) => it.figure('contract_size')),
  };
}

function toFixedIncome(bond: RemoteObject, divisor: 1 | 100): FetchedSecurity['fixedIncome'] {
  const face = bond.maybe('face_value', (it) => it.figure('face_value'));
  return {
    faceValue: face === null ? null : inMainCurrency(face, divisor),
    couponRate: bond.maybe('coupon', (it) => it.figure('coupon')),
    yieldToMaturity: bond.maybe('yield', (it) => it.figure('yield')),
    maturesOn: bond.maybe('matures_on', (it) => it.day('matures_on')),
    issuedOn: bond.maybe('issued_on', (it) => it.day('issued_on')),
  };
}
