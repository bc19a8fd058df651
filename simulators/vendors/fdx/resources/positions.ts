// cspell:ignoreRegExp /\b[A-Z0-9]{4,}\b/g
import { daysBefore, dayOf } from '../../ledger/day.js';
import { JsonNumber, type FdxValue } from './json-number.js';

/** The parts of an investment account's details that state its positions. */
export type Positions = Readonly<Record<string, FdxValue>>;

const number = (text: string): JsonNumber => new JsonNumber(text);

/** The securities of all customers; their names and identifiers are invented. */
const HARBOUR_MOTORS = {
  holdingName: 'Harbour Motors',
  holdingType: 'STOCK',
  symbol: 'HRBM',
  securityIds: [
    { id: 'US99HRB00111', idType: 'ISIN' },
    { id: '99HRB0011', idType: 'CUSIP' },
  ],
  stockSecurity: { stockType: 'COMMON' },
  currentUnitPrice: number('52.25'),
};

const STABLE_VALUE = {
  holdingName: 'Stable Value Fund',
  holdingType: 'MUTUALFUND',
  currentUnitPrice: number('31.20'),
  cashAccount: false,
};

/**
 * One position of each type: shares and a fund with lots, in both spellings of FDX; a sweep fund; a
 * bond in percent of par; a certificate of deposit; a short call; a coin of 18 decimals. With cash
 * of 350.25 they are the value of the account.
 */
export function brokeragePositions(now: Date): Positions {
  const day = (ago: number): string => dayOf(daysBefore(now, ago));
  const price = { currentUnitPriceDate: day(1) };
  return {
    holdings: [
      {
        ...HARBOUR_MOTORS,
        ...price,
        holdingId: 'h-1',
        positionType: 'LONG',
        heldInAccount: 'CASH',
        units: number('40'),
        purchasedPrice: number('41.25'),
        marketValue: number('2090.00'),
        cashAccount: false,
        taxLots: [
          {
            originalPurchaseDate: day(700),
            quantity: number('25'),
            purchasedPrice: number('40.00'),
            costBasis: number('1004.95'),
            currentValue: number('1306.25'),
          },
          {
            originalPurchaseDate: day(250),
            quantity: number('15'),
            purchasedPrice: number('43.00'),
            costBasis: number('649.95'),
            currentValue: number('783.75'),
          },
        ],
      },
      {
        ...price,
        holdingId: 'h-2',
        holdingName: 'Example Total Market Fund',
        holdingType: 'MUTUALFUND',
        symbol: 'EXTMX',
        securityId: '99FND0028',
        securityIdType: 'CUSIP',
        units: number('84.317'),
        currentUnitPrice: number('77.6119881'),
        purchasedPrice: number('72.59'),
        marketValue: number('6544.01'),
        cashAccount: false,
        taxLots: [
          {
            originalPurchaseDate: day(400),
            units: number('84.317'),
            costBasis: number('6120.44'),
            marketValue: number('6544.01'),
          },
        ],
      },
      {
        ...price,
        holdingId: 'h-3',
        holdingName: 'Example Government Money Market',
        holdingType: 'OTHER',
        holdingSubType: 'MONEYMARKET',
        symbol: 'EXGXX',
        units: number('1200.50'),
        currentUnitPrice: number('1.00'),
        marketValue: number('1200.50'),
        cashAccount: true,
        sweepSecurity: { currentBalance: number('1200.50'), checks: false },
      },
      {
        ...price,
        holdingId: 'h-4',
        holdingName: 'Prairie Water District 4.5%',
        holdingType: 'BOND',
        securityId: '99BND0030',
        securityIdType: 'CUSIP',
        faceValue: number('20000'),
        currentUnitPrice: number('98.60'),
        purchasedPrice: number('99.10'),
        marketValue: number('19720.00'),
        cashAccount: false,
        debtSecurity: {
          parValue: number('1000'),
          debtClass: 'MUNICIPAL',
          couponRate: number('4.5'),
          yieldToMaturity: number('4.71'),
          bondMaturityDate: day(-2_000),
        },
      },
      {
        ...price,
        holdingId: 'h-5',
        holdingName: 'Harbour Motors Call 60',
        holdingType: 'OPTION',
        positionType: 'SHORT',
        symbol: 'HRBM',
        units: number('3'),
        currentUnitPrice: number('4.25'),
        purchasedPrice: number('4.96'),
        marketValue: number('-1275.00'),
        cashAccount: false,
        optionSecurity: {
          secured: 'COVERED',
          optionType: 'CALL',
          strikePrice: number('60'),
          expireDate: day(-200),
          sharesPerContract: number('100'),
        },
      },
      {
        ...price,
        holdingId: 'h-6',
        holdingName: 'Example Coin',
        holdingType: 'DIGITALASSET',
        symbol: 'EXC',
        digitalUnits: '0.123456789012345678',
        units: number('0.12'),
        currentUnitPrice: number('61000.50'),
        marketValue: number('7530.93'),
        cashAccount: false,
      },
      {
        ...price,
        holdingId: 'h-7',
        holdingName: 'Certificate of Deposit',
        holdingType: 'CD',
        securityId: '4711',
        securityIdType: 'VALOR',
        faceValue: number('5000'),
        currentUnitPrice: number('100.25'),
        marketValue: number('5012.50'),
        rate: number('3.9'),
        expirationDate: day(-300),
        cashAccount: false,
      },
    ],
  };
}

/** A fund without identifiers in two sources of contributions, and shares of which half is vested. */
export function retirementPositions(now: Date): Positions {
  const day = (ago: number): string => dayOf(daysBefore(now, ago));
  const price = { currentUnitPriceDate: day(1) };
  return {
    holdings: [
      {
        ...STABLE_VALUE,
        ...price,
        holdingId: 'r-1',
        inv401kSource: 'PRETAX',
        units: number('210.5'),
        marketValue: number('6567.60'),
      },
      {
        ...STABLE_VALUE,
        ...price,
        holdingId: 'r-2',
        inv401kSource: 'MATCH',
        units: number('105.25'),
        marketValue: number('3283.80'),
      },
      {
        ...HARBOUR_MOTORS,
        ...price,
        holdingId: 'r-3',
        inv401kSource: 'PROFITSHARING',
        units: number('60'),
        marketValue: number('3135.00'),
        cashAccount: false,
      },
    ],
    vesting: [
      { symbol: 'HRBM', vestingDate: day(400), vestedQuantity: number('15') },
      { symbol: 'HRBM', vestingDate: day(35), vestedQuantity: number('30') },
      { symbol: 'HRBM', vestingDate: day(-330), vestedQuantity: number('60') },
    ],
  };
}
