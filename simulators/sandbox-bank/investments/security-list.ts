// cspell:ignoreRegExp /\b[A-Z]{4,}\b/g
import type { BankSecurity, Security } from './security.js';
import { FIRST_DAY } from './trading-days.js';

// CUSIPs from 990 on are free for private use, so that none of these is a real security's.

/** Splits once a year. */
export const SHARE = security({
  key: 'share',
  shown: {
    name: 'Example Systems Inc.',
    symbol: 'EXSY',
    exchange: 'XNAS',
    isin: 'US99900A1007',
    cusip: '99900A100',
    kind: 'SHARE',
  },
  walk: { start: 16_050, step: 180 },
});

/** Held without a known cost. */
export const ETF = security({
  key: 'etf',
  shown: {
    name: 'Example Total Market ETF',
    symbol: 'EXTM',
    exchange: 'ARCX',
    isin: 'US99900B1089',
    cusip: '99900B108',
    kind: 'ETF',
  },
  walk: { start: 9_240, step: 70 },
});

export const FUND = security({
  key: 'fund',
  shown: {
    name: 'Example Growth Fund',
    symbol: 'EXGRX',
    isin: 'US99900C2052',
    cusip: '99900C205',
    kind: 'FUND',
  },
  walk: { start: 7_480, step: 45 },
  isQuotedLate: true,
});

export const SWEEP = security({
  key: 'sweep',
  shown: {
    name: 'Example Government Money Market',
    symbol: 'EXGXX',
    cusip: '99900D302',
    kind: 'MONEY_MARKET',
    cash_equivalent: true,
  },
  walk: { start: 100, step: 0 },
});

/** Quoted in percent of par. */
export const BOND = security({
  key: 'bond',
  shown: {
    name: 'Example Utilities 4.25% 2034',
    isin: 'US99900E4098',
    cusip: '99900E409',
    kind: 'BOND',
    bond: {
      face_value: '1000.00',
      coupon: '4.25',
      yield: '4.43',
      matures_on: '2034-09-15',
      issued_on: '2019-09-15',
    },
  },
  walk: { start: 9_860, step: 20 },
  priceFactor: '0.01',
});

export const COIN = security({
  key: 'coin',
  shown: { name: 'Bitcoin', symbol: 'BTC', kind: 'COIN' },
  walk: { start: 4_215_000, step: 90_000 },
});

/** Quoted in pence with one decimal. */
export const PENCE_SHARE = security({
  key: 'pence-share',
  shown: {
    name: 'Example Grocers plc',
    symbol: 'EXGR',
    exchange: 'XLON',
    isin: 'GB00B0TRB195',
    sedol: 'B0TRB19',
    kind: 'SHARE',
    currency: 'GBX',
  },
  walk: { start: 3_402, step: 38 },
  decimals: 3,
});

/** Of an employer's plan: it has a name and nothing else. */
export const PLAN_FUND = security({
  key: 'plan-fund',
  shown: { name: 'Example Retirement 2045 Trust', kind: 'FUND' },
  walk: { start: 21_730, step: 110 },
  isQuotedLate: true,
  isOfPlan: true,
});

/** The securities that a script can buy by their symbol. */
export const TRADED: readonly Security[] = [SHARE, ETF, FUND, SWEEP, COIN, PENCE_SHARE];

type Definition = Partial<Omit<Security, 'key' | 'shown' | 'walk'>> & {
  key: string;
  shown: Pick<BankSecurity, 'name' | 'kind'> & Partial<BankSecurity>;
  walk: { start: number; step: number; from?: number };
  isOfPlan?: boolean;
};

export function security({ key, shown, walk, isOfPlan = false, ...more }: Definition): Security {
  return {
    key,
    shown: {
      security_id: isOfPlan ? null : `SB-${key.toUpperCase()}`,
      symbol: null,
      exchange: null,
      isin: null,
      cusip: null,
      sedol: null,
      figi: null,
      currency: 'USD',
      cash_equivalent: isOfPlan ? null : false,
      option: null,
      bond: null,
      ...shown,
    },
    walk: { from: FIRST_DAY, ...walk },
    decimals: 2,
    priceFactor: '1',
    isQuotedLate: false,
    splits: key === 'share',
    ...more,
  };
}
