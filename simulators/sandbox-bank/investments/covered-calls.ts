// cspell:ignoreRegExp /\b[A-Z]{4,}\b/g
import { isoDateOf } from '../transactions/day-number.js';
import { Exact } from '../accounts/figures.js';
import type { Market } from './market.js';
import type { Security } from './security.js';
import { ETF, security } from './security-list.js';
import { FIRST_DAY, monthsUntil, thirdFriday } from './trading-days.js';

/** A call on the ETF that is sold when the one before it expires. */
export interface CoveredCall {
  option: Security;
  soldOn: number;
  expiresOn: number;
}

/** The calls sold until a day; at each moment exactly one of them has not expired. */
export function coveredCallsUntil(market: Market, today: number): CoveredCall[] {
  const calls: CoveredCall[] = [];
  let soldOn = FIRST_DAY;
  for (const { year, month } of monthsUntil(today + 100)) {
    if (month % 3 !== 0 || soldOn > today) continue;
    const expiresOn = thirdFriday(year, month);
    calls.push({ option: callOn(market, soldOn, expiresOn), soldOn, expiresOn });
    soldOn = expiresOn;
  }
  return calls;
}

/** A tenth above the price of the day, in steps of 5. */
function callOn(market: Market, soldOn: number, expiresOn: number): Security {
  const strike = new Exact(market.priceOn(ETF, soldOn))
    .times('1.1')
    .dividedBy(5)
    .toDecimalPlaces(0)
    .times(5);
  const date = isoDateOf(expiresOn);
  const occ = `${date.slice(2).replaceAll('-', '')}C${strike.times(1_000).toFixed(0).padStart(8, '0')}`;
  return security({
    key: `call-${date}`,
    shown: {
      name: `EXTM ${date} ${strike.toFixed(2)} Call`,
      symbol: `EXTM  ${occ}`,
      kind: 'OPTION',
      option: {
        underlying_symbol: 'EXTM',
        right: 'CALL',
        expires_on: date,
        strike: strike.toFixed(2),
        contract_size: '100',
      },
    },
    walk: { start: 310, step: 14, from: soldOn },
    priceFactor: '100',
  });
}
