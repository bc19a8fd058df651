import { Decimal } from 'decimal.js';
import type { FetchedSecurity } from '../../../../domain/investments/fetched-security.js';
import {
  type KnownSecurity,
  matchSecurities,
} from '../../../../domain/investments/match-securities.js';
import { securityKeys } from '../../../../domain/investments/security-keys.js';
import { securityOf } from './support/holdings.js';

const ISIN = 'US0378331005';
const OTHER_ISIN = 'GB0002634946';
const CUSIP = '037833100';
const SEDOL = '2046251';
const FIGI = 'BBG000B9XRY4';
const OWN = { type: 'WKN', value: '865985' };
const OPTION: FetchedSecurity['option'] = {
  underlyingSymbol: 'XYZ',
  kind: 'call',
  expiresOn: '2026-06-19',
  strikePrice: new Decimal('250.0'),
  contractSize: null,
};

type Fields = Partial<FetchedSecurity>;
type Stored = Fields & Partial<Pick<KnownSecurity, 'mergedInto' | 'belongsTo'>>;

/** Known securities have the ids `s0`, `s1`, …, oldest first. */
function match(known: readonly Stored[], fetched: readonly Fields[]) {
  const { matches, merges, conflicts } = matchSecurities(
    known.map(({ mergedInto = null, belongsTo = null, ...fields }, place) => ({
      ...securityOf(fields),
      securityId: `s${place}`,
      mergedInto,
      belongsTo,
    })),
    fetched.map((fields) => securityOf(fields)),
  );
  const described = matches.map((each) => {
    if (typeof each === 'string') return each;
    return 'securityId' in each ? each.securityId : `as ${each.sameAs}`;
  });
  return { matches: described, merges, conflicts };
}

const unmerged = (...matches: string[]) => ({ matches, merges: [], conflicts: 0 });

describe('A security', () => {
  it.each<[name: string, known: Stored, fetched: Fields, matched: string]>([
    ["by the institution's own id", { ownId: OWN }, { ownId: OWN }, 's0'],
    ['by its FIGI', { figi: FIGI }, { figi: FIGI }, 's0'],
    [
      'by ISIN and currency',
      { isin: ISIN, currency: 'USD' },
      { isin: ISIN, currency: 'USD' },
      's0',
    ],
    ['by its CUSIP', { cusip: CUSIP }, { cusip: CUSIP }, 's0'],
    ['by the CUSIP in an ISIN', { isin: ISIN, currency: 'USD' }, { cusip: CUSIP }, 's0'],
    ['by its SEDOL', { sedol: SEDOL }, { sedol: SEDOL }, 's0'],
    [
      'by the terms of an option, in fields or in its symbol',
      { option: OPTION },
      { symbol: 'XYZ   260619C00250000' },
      's0',
    ],
    [
      'by symbol, exchange, currency and type',
      { symbol: 'XYZ', exchange: 'XNAS', currency: 'USD', type: 'equity' },
      { symbol: 'xyz', exchange: 'xnas', currency: 'USD', type: 'equity' },
      's0',
    ],
    [
      'by its symbol under another name',
      { symbol: 'XYZ', name: 'Old' },
      { symbol: 'XYZ', name: 'New' },
      's0',
    ],
    [
      'by its ISIN under another symbol',
      { isin: ISIN, symbol: 'OLD' },
      { isin: ISIN, symbol: 'NEW' },
      's0',
    ],
    [
      "by the institution's own id with another ISIN, as after a merger",
      { ownId: OWN, isin: ISIN },
      { ownId: OWN, isin: OTHER_ISIN },
      's0',
    ],
  ])('is found %s', (_name, known, fetched, matched) => {
    expect(match([known], [fetched])).toEqual(unmerged(matched));
  });

  it.each<[name: string, known: Stored, fetched: Fields]>([
    ['with an own id of another type', { ownId: OWN }, { ownId: { ...OWN, type: 'VALOR' } }],
    [
      'with the ISIN in another currency',
      { isin: ISIN, currency: 'USD' },
      { isin: ISIN, currency: 'CAD' },
    ],
    [
      'with the symbol of another ISIN',
      { isin: ISIN, symbol: 'XYZ' },
      { isin: OTHER_ISIN, symbol: 'XYZ' },
    ],
    [
      'with the symbol at another exchange',
      { symbol: 'XYZ', exchange: 'XNAS' },
      { symbol: 'XYZ', exchange: 'XLON' },
    ],
    [
      'with the symbol of another type',
      { symbol: 'XYZ', type: 'etf' },
      { symbol: 'XYZ', type: 'equity' },
    ],
    [
      'with another strike price',
      { option: OPTION },
      { option: { ...OPTION, strikePrice: new Decimal(251) } },
    ],
    ['of another holding', { symbol: 'XYZ', belongsTo: 'hld_1' }, { symbol: 'XYZ' }],
  ])('is new %s', (_name, known, fetched) => {
    expect(match([known], [fetched])).toEqual(unmerged('new'));
  });

  it('without identifier belongs to its holding alone, whatever its name', () => {
    const fund = { name: 'Large Cap Index Fund' };
    expect(match([{ ...fund, belongsTo: 'hld_1' }], [fund, fund])).toEqual(
      unmerged('unidentified', 'unidentified'),
    );
  });

  it('that comes twice is one', () => {
    expect(match([], [{ isin: ISIN, symbol: 'A' }, { cusip: CUSIP }, { symbol: 'A' }])).toEqual(
      unmerged('new', 'as 0', 'as 0'),
    );
  });

  it('with the identifiers of two joins them, the younger into the older', () => {
    const both = { isin: ISIN, sedol: SEDOL };
    const merged = {
      matches: ['s0', 's0'],
      merges: [{ from: 's1', into: 's0' }],
      conflicts: 0,
    };
    const ofSedol = { sedol: SEDOL };
    expect(match([{ isin: ISIN }, ofSedol], [both, ofSedol])).toEqual(merged);
    expect(match([ofSedol, { isin: ISIN }], [both, ofSedol])).toEqual(merged);
  });

  it('with the identifiers of two that contradict each other is that of the stronger one', () => {
    const known = [
      { sedol: SEDOL, isin: OTHER_ISIN },
      { figi: FIGI, isin: ISIN },
    ];
    expect(match(known, [{ figi: FIGI, sedol: SEDOL }])).toEqual({
      matches: ['s1'],
      merges: [],
      conflicts: 1,
    });
  });

  it('that was merged is found as the one that it was merged into', () => {
    const known = [{ isin: ISIN }, { sedol: SEDOL, mergedInto: 's0' }];
    expect(match(known, [{ sedol: SEDOL }])).toEqual(unmerged('s0'));
  });
});

describe('The keys of a security', () => {
  it('are its identifiers, strongest first', () => {
    const security = securityOf({
      symbol: 'aapl',
      currency: 'USD',
      type: 'equity',
      isin: ISIN,
      sedol: SEDOL,
      figi: FIGI,
      ownId: OWN,
    });
    expect(securityKeys(security)).toEqual([
      'own:WKN:865985',
      `figi:${FIGI}`,
      `isin:${ISIN}:USD`,
      `cusip:${CUSIP}`,
      `sedol:${SEDOL}`,
      'symbol:AAPL::USD:equity',
    ]);
  });

  it('differ where a colon stands in a symbol and where it ends one', () => {
    const [inSymbol] = securityKeys(securityOf({ symbol: 'A:B' }));
    const [atEnd] = securityKeys(securityOf({ symbol: 'A', exchange: 'B' }));
    expect(inSymbol).not.toBe(atEnd);
    expect(inSymbol).toBe('symbol:A%3AB:::');
  });
});
