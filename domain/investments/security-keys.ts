import type { FetchedSecurity } from './fetched-security.js';
import { parseOptionSymbol } from './option-symbol.js';
import { cusipInIsin } from './security-identifiers.js';

/** The identifiers of a security, strongest first. */
export const IDENTIFIER_KINDS = [
  'own',
  'figi',
  'isin',
  'cusip',
  'sedol',
  'option',
  'symbol',
] as const;
export type IdentifierKind = (typeof IDENTIFIER_KINDS)[number];

/**
 * The texts by which a security is recognized, strongest first; empty = nothing identifies it, a
 * name least of all. They are stored and compared, so their form stays. Source: native-api 3.13.
 */
export function securityKeys(security: FetchedSecurity): string[] {
  const identifiers = identifiersOf(security);
  return IDENTIFIER_KINDS.flatMap((kind) => {
    const parts = identifiers[kind];
    return parts === null ? [] : [keyOf(kind, parts)];
  });
}

/** Colons in a symbol must not move its end. */
function keyOf(kind: IdentifierKind, parts: readonly (string | null)[]): string {
  return [kind, ...parts.map((part) => (part ?? '').replaceAll(/[%:]/g, encodeURIComponent))].join(
    ':',
  );
}

function identifiersOf(
  security: FetchedSecurity,
): Record<IdentifierKind, (string | null)[] | null> {
  const { ownId, exchange, type } = security;
  const [figi, isin, sedol, symbol, currency] = [
    security.figi,
    security.isin,
    security.sedol,
    security.symbol,
    security.currency,
  ].map(normalized);
  const cusip = normalized(security.cusip) ?? (isin == null ? null : cusipInIsin(isin));
  const option = security.option ?? (symbol == null ? null : parseOptionSymbol(symbol));
  return {
    own: ownId === null ? null : [ownId.type, ownId.value],
    figi: figi == null ? null : [figi],
    isin: isin == null ? null : [isin, currency ?? null],
    cusip: cusip === null ? null : [cusip],
    sedol: sedol == null ? null : [sedol],
    option:
      option === null
        ? null
        : [
            normalized(option.underlyingSymbol),
            option.expiresOn,
            option.kind,
            option.strikePrice.toFixed(),
          ],
    symbol: symbol == null ? null : [symbol, normalized(exchange), currency ?? null, type],
  };
}

function normalized(text: string | null): string | null {
  return text?.trim().toUpperCase() || null;
}
