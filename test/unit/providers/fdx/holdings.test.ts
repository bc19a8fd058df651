// cspell:ignore Surce
// cspell:ignoreRegExp /\b[A-Z0-9]{4,}\b/g
import fc from 'fast-check';
import { LosslessNumber } from 'lossless-json';
import { toHoldings } from '../../../../providers/fdx/data/fetch-holdings.js';
import { toHolding } from '../../../../providers/fdx/data/investments/to-holding.js';
import { RemoteObject } from '../../../../providers/http/remote-object.js';
import { asSent } from './support/fdx-bodies.js';
import { collectFaults, faults, scope } from './support/fdx-faults.js';

collectFaults();

const FUND = {
  holdingId: 'h1',
  holdingName: 'Example Fund',
  holdingType: 'MUTUALFUND',
  symbol: 'EXTMX',
  units: 84.317,
  currentUnitPrice: 77.61,
  currentUnitPriceDate: '2026-11-27',
  marketValue: 6544.01,
  purchasedPrice: 72.59,
  cashAccount: false,
};

const holdingOf = (fields: object) =>
  toHolding(asSent({ ...FUND, ...fields }), { accountId: 'a1', currency: 'USD', scope });
const figure = (text: string) => new LosslessNumber(text);
const text = (value: { toFixed(): string } | null | undefined) => value?.toFixed() ?? null;
const places = () => faults.map(({ scope: of, field }) => `${of} ${field}`);

describe('A holding of an FDX bank', () => {
  it('is read in units, with price, value and price paid as sent', () => {
    const { quantity, price, value, cost, ...holding } = holdingOf({});
    expect([quantity, price, value, cost.pricePaid].map(text)).toEqual([
      '84.317',
      '77.61',
      '6544.01',
      '72.59',
    ]);
    expect(holding).toMatchObject({
      providerAccountId: 'a1',
      providerHoldingId: 'h1',
      priceAsOf: '2026-11-27',
      currency: 'USD',
      lots: [],
      isCash: false,
      vestedQuantity: null,
    });
    expect(cost).toMatchObject({ reported: null, basis: null, isTotal: false });
    expect(faults).toEqual([]);
  });

  it.each([
    [
      'digital units before rounded ones',
      { digitalUnits: '0.123456789012345678', units: 0.12 },
      '0.123456789012345678',
    ],
    ['the face value of a bond', { holdingType: 'BOND', faceValue: 20000, units: 20 }, '20000'],
    ['the units of a bond without a face value', { holdingType: 'BOND', units: 20000 }, '20000'],
    ['contracts of an option', { holdingType: 'OPTION', units: 3 }, '3'],
    ['a short position, negative', { positionType: 'SHORT', units: 60 }, '-60'],
    ['a negative number of units', { units: -60 }, '-60'],
    [
      'the money of a cash position without units',
      { holdingSubType: 'CASH', units: undefined },
      '6544.01',
    ],
    ['units in a text', { units: '12.5' }, '12.5'],
    ['units with an exponent', { units: figure('1.2E-7') }, '0.00000012'],
    ['zero, kept as zero', { units: 0, marketValue: 0 }, '0'],
    ['minus zero, as zero', { units: figure('-0.00') }, '0'],
  ])('has as its quantity %s', (_, fields, expected) => {
    expect(text(holdingOf(fields).quantity)).toBe(expected);
    expect(faults).toEqual([]);
  });

  it('keeps every digit of units with up to 19 digits on either side of the point', () => {
    const digits = (length: { min: number; max: number }) =>
      fc
        .array(fc.integer({ min: 0, max: 9 }), { minLength: length.min, maxLength: length.max })
        .map((all) => all.join(''));
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        digits({ min: 0, max: 18 }),
        digits({ min: 0, max: 18 }),
        fc.integer({ min: 1, max: 9 }),
        (first, whole, decimals, last) => {
          const sent = `${first}${whole}.${decimals}${last}`;
          expect(text(holdingOf({ units: figure(sent) }).quantity)).toBe(sent);
        },
      ),
    );
  });

  it('of a short position has a negative value and negative lots, whatever sign they are sent with', () => {
    for (const sign of [1, -1]) {
      const { value, lots } = holdingOf({
        positionType: 'SHORT',
        units: 60 * sign,
        marketValue: 1590 * sign,
        taxLots: [{ quantity: 60 * sign, costBasis: 1488 * sign, currentValue: 1590 * sign }],
      });
      expect(text(value)).toBe('-1590');
      expect(lots.map((lot) => [lot.quantity, lot.costBasis, lot.value].map(text))).toEqual([
        ['-60', '-1488', '-1590'],
      ]);
    }
  });

  it.each([
    ['quantity and current value', { quantity: 30, costBasis: 930, currentValue: 1020 }],
    ['units and market value', { units: 30, costBasis: 930, marketValue: 1020 }],
  ])('has lots in the spelling of %s', (_, lot) => {
    const { lots } = holdingOf({
      originalPurchaseDate: '2024-01-02',
      taxLots: [{ ...lot, purchasedPrice: 31, originalPurchaseDate: '2025-03-04T00:00:00Z' }],
    });
    expect(lots.map((it) => [it.quantity, it.costBasis, it.value, it.pricePaid].map(text))).toEqual(
      [['30', '930', '1020', '31']],
    );
    expect(lots[0]?.acquiredOn).toBe('2025-03-04');
  });

  it('without lots was acquired on its own day, and with lots on theirs', () => {
    const bought = { originalPurchaseDate: '2024-01-02' };
    expect(holdingOf(bought).acquiredOn).toBe('2024-01-02');
    expect(holdingOf({ ...bought, taxLots: [{ quantity: 1 }] }).acquiredOn).toBeNull();
  });

  it('names its source of contributions, in both spellings of the field, and its part of the account', () => {
    expect(holdingOf({ inv401kSource: 'MATCH' }).contributionSource).toBe('match');
    expect(holdingOf({ inv401kSurce: 'PRETAX' }).contributionSource).toBe('pretax');
    expect(holdingOf({ heldInAccount: 'MARGIN' }).subAccount).toBe('margin');
  });

  it.each(['GBX', 'GBp', 'GBx'])('in %s is read in pounds, each figure divided exactly', (code) => {
    const holding = holdingOf({
      currency: { currencyCode: code },
      currentUnitPrice: 345.5,
      marketValue: figure('310949.9999999999999999999'),
      purchasedPrice: 340,
      taxLots: [{ quantity: 900, costBasis: 306000 }],
    });
    expect(holding.currency).toBe('GBP');
    expect(
      [holding.price, holding.value, holding.cost.pricePaid, holding.lots[0]?.costBasis].map(text),
    ).toEqual(['3.455', '3109.499999999999999999999', '3.4', '3060']);
    expect(text(holding.lots[0]?.quantity)).toBe('900');
  });

  it('in a unit that is not money has the currency of its account', () => {
    expect(holdingOf({ currency: { currencyCode: 'DOGE' } }).currency).toBe('USD');
    expect(places()).toEqual(['value currencyCode']);
  });
});

describe('The security of an FDX holding', () => {
  it.each([
    [{ holdingType: 'STOCK' }, 'equity', null],
    [
      { holdingType: 'STOCK', stockSecurity: { stockType: 'PREFERRED' } },
      'equity',
      'preferred_equity',
    ],
    [{ holdingType: 'BOND' }, 'fixed_income', 'bond'],
    [
      { holdingType: 'BOND', debtSecurity: { debtClass: 'MUNICIPAL' } },
      'fixed_income',
      'municipal_bond',
    ],
    [{ holdingType: 'CD' }, 'fixed_income', null],
    [{ holdingType: 'MUTUALFUND' }, 'mutual_fund', 'mutual_fund'],
    [{ holdingType: 'MUTUALFUND', holdingSubType: 'MONEYMARKET' }, 'mutual_fund', 'mutual_fund'],
    [{ holdingType: 'OPTION' }, 'derivative', 'option'],
    [{ holdingType: 'DIGITALASSET' }, 'cryptocurrency', 'cryptocurrency'],
    [{ holdingType: 'ANNUITY' }, 'other', null],
    [{ holdingType: 'OTHER' }, 'other', null],
    [{ holdingType: 'OTHER', holdingSubType: 'CASH' }, 'cash', 'cash'],
    [{ holdingType: 'OTHER', holdingSubType: 'MONEYMARKET' }, 'cash', null],
    [{ holdingType: 'HEDGEFUND' }, 'other', null],
    [{ holdingType: undefined }, null, null],
    [{ holdingType: undefined, debtSecurity: {} }, 'fixed_income', 'bond'],
    [{ holdingType: undefined, sweepSecurity: {} }, 'cash', null],
  ])('with %j is of type %s, subtype %s', (fields, type, subtype) => {
    expect(holdingOf(fields).security).toMatchObject({ type, subtype });
  });

  it.each([
    [{ cashAccount: true }, true],
    [{ cashAccount: false }, false],
    [{ cashAccount: undefined }, null],
    [{ holdingSubType: 'CASH' }, true],
    [{ holdingSubType: 'MONEYMARKET' }, true],
    [{ sweepSecurity: {} }, true],
  ])('with %j is money of the account: %s', (fields, isCash) => {
    const holding = holdingOf(fields);
    expect([holding.isCash, holding.security.isCashEquivalent]).toEqual([isCash, isCash]);
  });

  it.each([
    ['ISIN', 'US0378331005', { isin: 'US0378331005' }],
    ['CUSIP', '037833100', { cusip: '037833100' }],
    ['CINS', 'G0177J108', { cusip: 'G0177J108' }],
    ['SEDOL', 'b0yq5w0', { sedol: 'B0YQ5W0' }],
    ['VALOR', '908440', { ownId: { type: 'VALOR', value: '908440' } }],
    ['WKN', '865985', { ownId: { type: 'WKN', value: '865985' } }],
    ['HOUSE_CODE', 'x-1', { ownId: { type: 'HOUSE_CODE', value: 'x-1' } }],
    [undefined, 'x-1', { ownId: { type: 'INSTITUTION', value: 'x-1' } }],
  ])('is identified by an id of type %s, alone or in a list', (idType, id, expected) => {
    const none = { ownId: null, isin: null, cusip: null, sedol: null, figi: null };
    const alone = holdingOf({ securityId: id, securityIdType: idType });
    const listed = holdingOf({ securityIds: [{ id, idType }] });
    expect(alone.security).toMatchObject({ ...none, ...expected });
    expect(listed.security).toMatchObject({ ...none, ...expected });
    expect(faults).toEqual([]);
  });

  it('loses an identifier with a wrong check digit alone', () => {
    const { security } = holdingOf({
      securityIds: [
        { id: 'US0378331006', idType: 'ISIN' },
        { id: '037833100', idType: 'CUSIP' },
      ],
    });
    expect(security).toMatchObject({ isin: null, cusip: '037833100', symbol: 'EXTMX' });
    expect(places()).toEqual(['value id']);
  });

  it('has the terms of an option from its symbol, or from its own part', () => {
    const terms = {
      optionType: 'PUT',
      strikePrice: 42.5,
      expireDate: '2027-01-15',
      sharesPerContract: 10,
    };
    const option = { holdingType: 'OPTION', optionSecurity: terms };
    expect(holdingOf({ ...option, symbol: 'ABC   271217C00060000' }).security).toMatchObject({
      symbol: 'ABC   271217C00060000',
      option: { underlyingSymbol: 'ABC', kind: 'call', expiresOn: '2027-12-17' },
    });
    const { security } = holdingOf({ ...option, symbol: 'ABC' });
    // All options of one share have its symbol.
    expect(security).toMatchObject({
      symbol: null,
      option: { underlyingSymbol: 'ABC', kind: 'put', expiresOn: '2027-01-15' },
    });
    expect([security.option?.strikePrice, security.option?.contractSize].map(text)).toEqual([
      '42.5',
      '10',
    ]);
  });

  it('has the face value, the rates and the end of a bond', () => {
    const debtSecurity = {
      parValue: 1000,
      couponRate: 4.5,
      yieldToMaturity: 4.71,
      bondMaturityDate: '2032-05-01',
    };
    const { fixedIncome } = holdingOf({ holdingType: 'BOND', debtSecurity }).security;
    expect(fixedIncome?.maturesOn).toBe('2032-05-01');
    expect(
      [fixedIncome?.faceValue, fixedIncome?.couponRate, fixedIncome?.yieldToMaturity].map(text),
    ).toEqual(['1000', '4.5', '4.71']);
    const certificate = { holdingType: 'CD', rate: 3.9, expirationDate: '2027-09-01' };
    expect(holdingOf(certificate).security.fixedIncome).toMatchObject({ maturesOn: '2027-09-01' });
    expect(text(holdingOf(certificate).security.fixedIncome?.couponRate)).toBe('3.9');
  });
});

describe('An untidy holding of an FDX bank', () => {
  it.each([
    ['units absent', { units: undefined }, 'units'],
    ['units as a word', { units: 'abc' }, 'units'],
    ['units as NaN', { units: 'NaN' }, 'units'],
    ['units without end', { units: figure('1e400') }, 'units'],
    ['units as a list', { units: [1] }, 'units'],
  ])('is lost with %s', (_, fields, field) => {
    expect(() => holdingOf(fields)).toThrow(`holding.${field} is not`);
  });

  it.each([
    ['value', 'absent', { marketValue: undefined }, 'marketValue'],
    ['value', 'a text that is no number', { marketValue: 'N/A' }, 'marketValue'],
    ['price', 'negative', { currentUnitPrice: -3 }, 'currentUnitPrice'],
    ['price', 'a list', { currentUnitPrice: [3] }, 'currentUnitPrice'],
    ['priceAsOf', 'of year 1', { currentUnitPriceDate: '0001-01-01' }, 'currentUnitPriceDate'],
  ] as const)('without a readable %s (%s) has none, which is noted', (member, _, fields, field) => {
    expect(holdingOf(fields)[member]).toBeNull();
    expect(places()).toEqual([`value ${field}`]);
  });

  it('reads a price of 30 February as of the last of February', () => {
    expect(holdingOf({ currentUnitPriceDate: '2026-02-30' }).priceAsOf).toBe('2026-02-28');
  });

  it('does not know a price paid of zero, which is not a fault', () => {
    expect(holdingOf({ purchasedPrice: 0 }).cost.pricePaid).toBeNull();
    expect(faults).toEqual([]);
  });

  it('cleans its name, and does without a symbol of 300 characters', () => {
    const { security } = holdingOf({
      holdingName: 'Fund\u0000 One\ud83d',
      symbol: 'X'.repeat(300),
      securityId: '037833100',
      securityIdType: 'CUSIP',
    });
    expect(security).toMatchObject({ name: 'Fund  One', symbol: null, cusip: '037833100' });
    expect(places()).toEqual(['value symbol']);
  });

  it('loses a lot without a quantity alone', () => {
    const { lots } = holdingOf({
      taxLots: [{ costBasis: 930 }, { quantity: 20, costBasis: 705.5 }],
    });
    expect(lots.map(({ quantity }) => text(quantity))).toEqual(['20']);
    expect(places()).toEqual(['value quantity']);
  });

  it('with more than 100 lots makes its account incomplete', () => {
    const taxLots = Array.from({ length: 101 }, () => ({ quantity: 1 }));
    expect(holdingOf({ taxLots }).lots).toEqual([]);
    expect(faults).toMatchObject([{ scope: 'account', field: 'taxLots', reason: 'too_long' }]);
  });
});

describe('The holdings of an FDX account', () => {
  const ACCOUNT = { id: 'a1', category: 'INVESTMENT_ACCOUNT', currency: 'USD' };
  const read = (details: object, account = ACCOUNT) =>
    toHoldings(account, new RemoteObject(asSent(details), 'response', scope), {
      today: '2026-11-29',
      scope,
    });

  it('come with the balance and the cash of the same response', () => {
    const found = read({ currentValue: 6650.25, availableCashBalance: 106.24, holdings: [FUND] });
    expect(found?.holdings).toHaveLength(1);
    expect(found?.accounts).toMatchObject([{ providerAccountId: 'a1', currency: 'USD' }]);
    expect([found?.accounts[0]?.balance, found?.accounts[0]?.reportedCash].map(text)).toEqual([
      '6650.25',
      '106.24',
    ]);
  });

  it('are read without one that is not an object, which makes the account incomplete', () => {
    expect(read({ holdings: [FUND, 'fund', { ...FUND, units: 'abc' }] })?.holdings).toHaveLength(1);
    expect(faults.filter(({ scope: of }) => of === 'row')).toHaveLength(2);
  });

  it.each([
    ['null', null],
    ['a text', 'none'],
    ['absent', undefined],
  ])('are unreadable as a whole when the list is %s', (_, holdings) => {
    expect(() => read({ currentValue: 10, holdings })).toThrow('holdings is not a list');
  });

  it.each([[{ currentValue: 0 }], [{ currentValue: 812.5, availableCashBalance: 812.5 }]])(
    'are none without a list when all the value is cash: %j',
    (details) => {
      expect(read(details)).toMatchObject({
        accounts: [{ providerAccountId: 'a1' }],
        holdings: [],
      });
    },
  );

  it('are not expected in the details of another category', () => {
    expect(read({ currentBalance: 10 }, { ...ACCOUNT, category: 'DEPOSIT_ACCOUNT' })).toBeNull();
  });

  it.each([
    [
      'the latest day that has come',
      [
        ['2025-01-01', 15],
        ['2026-10-01', 30],
        ['2027-01-01', 60],
      ],
      '30',
    ],
    ['no day that has come', [['2027-01-01', 60]], null],
    [
      'two entries of one day',
      [
        ['2026-10-01', 30],
        ['2026-10-01', 31],
      ],
      null,
    ],
  ] as const)('have vested units of %s', (_, entries, expected) => {
    const vesting = entries.map(([vestingDate, vestedQuantity]) => ({
      symbol: 'EXTMX',
      vestingDate,
      vestedQuantity,
    }));
    expect(text(read({ holdings: [FUND], vesting })?.holdings[0]?.vestedQuantity)).toBe(expected);
  });

  it('have no vested units where two of them share the symbol', () => {
    const vesting = [{ symbol: 'EXTMX', vestingDate: '2026-10-01', vestedQuantity: 30 }];
    const holdings = [FUND, { ...FUND, inv401kSource: 'MATCH' }];
    expect(read({ holdings, vesting })?.holdings.map((it) => it.vestedQuantity)).toEqual([
      null,
      null,
    ]);
  });
});
