import { drawsFrom } from '../accounts/draws.js';
import { Exact } from '../accounts/figures.js';
import { dayOf } from '../transactions/day-number.js';

const STATEMENT_DAY = 5;
const DUE_AFTER_DAYS = 25;

/** A statement of a card. Days are numbers since 1970-01-01. */
export interface CardStatement {
  date: number;
  dueOn: number;
  balance: string;
  minimumPayment: string;
}

/** The newest statement on a day, and the one before it. */
export function cardStatementsOn(
  seed: string,
  today: number,
): { newest: CardStatement; previous: CardStatement } {
  const date = new Date(today * 86_400_000);
  const before = date.getUTCDate() < STATEMENT_DAY ? 1 : 0;
  const ofMonth = (back: number) =>
    statementOf(seed, dayOf(date.getUTCFullYear(), date.getUTCMonth() + 1 - back, STATEMENT_DAY));
  return { newest: ofMonth(before), previous: ofMonth(before + 1) };
}

function statementOf(seed: string, date: number): CardStatement {
  const balance = new Exact(drawsFrom(`${seed}/statement/${date}`).integer(18_000, 64_000));
  return {
    date,
    dueOn: date + DUE_AFTER_DAYS,
    balance: balance.dividedBy(100).toFixed(2),
    minimumPayment: '25.00',
  };
}
