import type { Decimal } from 'decimal.js';
import type { FetchedLiability, LiabilityRate } from './liability.js';
import { isRevolving } from './liability-kind.js';

const [FIRST_DAY, LAST_DAY] = ['1900-01-01', '2200-12-31'];
const MAX_RATE = 100;

/** A debt without impossible values. */
export interface PlausibleLiability {
  liability: FetchedLiability;
  /** The names of the fields that became null or lost an entry, each once; an adapter notes a fault for each. */
  implausible: (keyof FetchedLiability)[];
}

/**
 * Applies the rules that all sources share to a debt as it was sent, with its rates in percent.
 * - A rate below 0 or above 100 is unknown. One below 1 stays: it is never taken for a fraction.
 * - A day before 1900 or after 2200 is unknown. A due date in the past is a fact and stays.
 * - Loans are owed, with either sign; cards and credit lines keep a credit balance negative.
 * - A negative minimum payment is unknown; 0 means that nothing is due.
 */
export function plausibleLiability(sent: FetchedLiability): PlausibleLiability {
  const implausible = new Set<keyof FetchedLiability>();
  const check = <T>(field: keyof FetchedLiability, value: T | null, isPossible: boolean) => {
    if (value === null || isPossible) return value;
    implausible.add(field);
    return null;
  };
  const day = (field: keyof FetchedLiability, value: string | null) =>
    check(field, value, value !== null && value >= FIRST_DAY && value <= LAST_DAY);
  const owed = isRevolving(sent.kind) ? same : magnitude;
  const { statement, nextPayment, lastPayment, interestRate, principal } = sent;
  const liability: FetchedLiability = {
    ...sent,
    balance: owed(sent.balance),
    statement: statement && {
      date: day('statement', statement.date),
      balance: owed(statement.balance),
    },
    minimumPayment: check('minimumPayment', sent.minimumPayment, isUnsigned(sent.minimumPayment)),
    nextPayment: nextPayment && {
      dueOn: day('nextPayment', nextPayment.dueOn),
      amount: magnitude(nextPayment.amount),
    },
    lastPayment: lastPayment && {
      date: day('lastPayment', lastPayment.date),
      amount: magnitude(lastPayment.amount),
    },
    pastDue: magnitude(sent.pastDue),
    rates: sent.rates.filter((rate) => check('rates', rate, isRate(rate)) !== null),
    interestRate: interestRate && check('interestRate', interestRate, isRate(interestRate)),
    principal: principal && {
      original: magnitude(principal.original),
      outstanding: magnitude(principal.outstanding),
    },
    originatedOn: day('originatedOn', sent.originatedOn),
    maturesOn: day('maturesOn', sent.maturesOn),
    payoffAmount: magnitude(sent.payoffAmount),
  };
  return { liability, implausible: [...implausible] };
}

const same = (value: Decimal | null) => value;
const magnitude = (value: Decimal | null) => value?.abs() ?? null;
const isUnsigned = (value: Decimal | null) => value?.gte(0) === true;
const isRate = ({ percentage }: Pick<LiabilityRate, 'percentage'>) =>
  percentage.gte(0) && percentage.lte(MAX_RATE);
