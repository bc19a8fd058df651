import { coveredCallsUntil } from './covered-calls.js';
import { cents, Exact } from '../accounts/figures.js';
import { splitDayOf, splitFactorOn, type Market } from './market.js';
import { moneyMovement, trade, unitsFor, unpaidMovement, type Movement } from './movement.js';
import { BOND, COIN, ETF, FUND, SHARE, SWEEP } from './security-list.js';
import { FIRST_DAY, monthsUntil, tradingDayFrom } from './trading-days.js';
import { dayOf } from '../transactions/day-number.js';

const FEES = new Exact('4.95');
const SHARES = 120;
const FACE_VALUE = 20_000;
const CONTRACTS = 2;

/** Everything in the account *Brokerage* until a day, oldest first within each kind. */
export function brokerageMovements(market: Market, today: number): Movement[] {
  return [
    ...opening(market),
    ...calls(market, today),
    ...reinvestedIncome(market, today),
    ...monthsUntil(today).flatMap((month) => ofMonth(market, month)),
  ];
}

function opening(market: Market): Movement[] {
  const day = FIRST_DAY;
  const buy = (security: typeof SHARE, quantity: string, key: string = security.key) =>
    trade(market, {
      key: `open/${key}`,
      day,
      code: 'BOUGHT',
      security,
      quantity: new Exact(quantity),
    });
  return [
    moneyMovement({ key: 'open/deposit', day, code: 'DEPOSIT', amount: new Exact('60000.00') }),
    buy(SHARE, String(SHARES)),
    buy(FUND, '30'),
    buy(SWEEP, '3250.00'),
    buy(BOND, String(FACE_VALUE)),
    buy(COIN, '0.123456789012345678'),
    unpaidMovement({
      key: 'open/transfer',
      day,
      code: 'TRANSFERRED_IN',
      security: ETF,
      quantity: new Exact(220),
    }),
  ];
}

function calls(market: Market, today: number): Movement[] {
  return coveredCallsUntil(market, today).flatMap(({ option, soldOn, expiresOn }) => [
    trade(market, {
      key: `${option.key}/sold`,
      day: soldOn,
      code: 'SOLD_SHORT',
      security: option,
      quantity: new Exact(-CONTRACTS),
      fees: FEES,
    }),
    unpaidMovement({
      key: `${option.key}/expired`,
      day: expiresOn,
      code: 'EXPIRED',
      security: option,
      quantity: new Exact(CONTRACTS),
    }),
  ]);
}

/** A quarter's income of the fund buys more of it: every one is a lot. */
function reinvestedIncome(market: Market, today: number): Movement[] {
  let units = new Exact(30);
  return monthsUntil(today).flatMap(({ year, month }) => {
    if (month % 3 !== 0) return [];
    const day = tradingDayFrom(dayOf(year, month, 20));
    const gross = cents(units.times('0.32'));
    const quantity = unitsFor(market, FUND, day, gross);
    units = units.plus(quantity);
    const reinvested = trade(market, {
      key: `${year}-${month}/reinvested`,
      day,
      code: 'REINVESTED',
      security: FUND,
      quantity,
    });
    // the income paid for the units: no money moved
    return [{ ...reinvested, gross, amount: new Exact(0) }];
  });
}

/** A purchase, a sale and a dividend in each quarter, interest in each month, a split in each year. */
function ofMonth(market: Market, { year, month }: { year: number; month: number }): Movement[] {
  const key = (name: string) => `${year}-${month}/${name}`;
  const on = (dayOfMonth: number) => tradingDayFrom(dayOf(year, month, dayOfMonth));
  const movements = [
    moneyMovement({
      key: key('interest'),
      day: on(28),
      code: 'INTEREST',
      amount: new Exact('10.56'),
      security: SWEEP,
    }),
  ];
  if (month % 3 === 1)
    movements.push(
      trade(market, {
        key: key('bought'),
        day: on(10),
        code: 'BOUGHT',
        security: SHARE,
        quantity: new Exact(6),
        fees: FEES,
      }),
    );
  if (month % 3 === 2)
    movements.push(
      trade(market, {
        key: key('sold'),
        day: on(10),
        code: 'SOLD',
        security: SHARE,
        quantity: new Exact(-6),
        fees: FEES,
      }),
    );
  if (month % 3 === 0) {
    const shares = SHARES * splitFactorOn(on(15));
    const perShare = new Exact('0.55').dividedBy(splitFactorOn(on(15)));
    movements.push(
      moneyMovement({
        key: key('dividend'),
        day: on(15),
        code: 'DIVIDEND',
        security: SHARE,
        amount: cents(perShare.times(shares)),
      }),
      moneyMovement({
        key: key('withdrawal'),
        day: on(22),
        code: 'WITHDRAWAL',
        amount: new Exact('-900.00'),
      }),
    );
  }
  if (month === 3 || month === 9)
    movements.push(
      moneyMovement({
        key: key('coupon'),
        day: on(15),
        code: 'INTEREST',
        security: BOND,
        amount: cents(new Exact(FACE_VALUE).times('0.0425').dividedBy(2)),
      }),
    );
  if (month === 7)
    movements.push(
      unpaidMovement({
        key: key('split'),
        day: splitDayOf(year),
        code: 'SPLIT',
        security: SHARE,
        quantity: new Exact(splitFactorOn(splitDayOf(year)) === 2 ? SHARES : -SHARES),
        ratio: new Exact(splitFactorOn(splitDayOf(year)) === 2 ? '2' : '0.5'),
      }),
    );
  if (month === 12)
    movements.push(
      moneyMovement({ key: key('fee'), day: on(18), code: 'FEE', amount: new Exact('-25.00') }),
    );
  return movements;
}
