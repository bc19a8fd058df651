// cspell:ignoreRegExp /\b[A-Z]{4,}\b/g
import { Decimal } from 'decimal.js';
import { isRevolving } from '../../../../domain/liabilities/liability-kind.js';
import {
  UNSTATED_DEBT,
  type FetchedLiability,
  type LiabilityKind,
  type LiabilityRate,
} from '../../../../domain/liabilities/liability.js';
import { plausibleLiability } from '../../../../domain/liabilities/plausible-liability.js';
import type { ReadScope } from '../../../http/read-scope.js';
import type { RemoteObject } from '../../../http/remote-object.js';
import type { FdxInstitution } from '../../settings.js';
import {
  firstFigure,
  optionalCount,
  optionalDay,
  optionalFigure,
  optionalWord,
} from '../optional-fields.js';

/** 100 years of months, and payments each week of them. */
const MAX_TERM = 1_200;
const MAX_PAYMENTS = 5_200;

export interface LiabilityContext {
  id: string;
  kind: LiabilityKind;
  currency: string;
  rates: FdxInstitution['rates'];
  scope: ReadScope;
}

/** Translates the details of a card, a credit line or a loan. Impossible values are noted. */
export function toLiability(details: RemoteObject, context: LiabilityContext): FetchedLiability {
  const { scope, kind } = context;
  const { liability, implausible } = plausibleLiability({
    ...UNSTATED_DEBT,
    ...commonParts(details, context),
    ...(isRevolving(kind) ? creditParts(details, context) : loanParts(details, context)),
  });
  for (const field of implausible)
    scope.note({
      scope: 'value',
      account: scope.account,
      resource: 'liability',
      field,
      reason: 'impossible',
    });
  return liability;
}

function commonParts(details: RemoteObject, { id, kind, currency }: LiabilityContext) {
  const hasStatement = isRevolving(kind) || kind === 'student';
  return {
    providerAccountId: id,
    kind,
    currency,
    balance: firstFigure(details, 'currentBalance', 'principalBalance'),
    statement: hasStatement
      ? known({
          date: optionalDay(details, 'lastStmtDate'),
          balance: optionalFigure(details, 'lastStmtBalance'),
        })
      : null,
    minimumPayment: optionalFigure(details, 'minimumPaymentAmount'),
    nextPayment: known({
      dueOn: optionalDay(details, 'nextPaymentDate'),
      amount: optionalFigure(details, 'nextPaymentAmount'),
    }),
    lastPayment: known({
      date: optionalDay(details, 'lastPaymentDate'),
      amount: optionalFigure(details, 'lastPaymentAmount'),
    }),
    pastDue: optionalFigure(details, 'pastDueAmount'),
    // No other status states that nothing is overdue.
    isOverdue: optionalWord(details, 'status') === 'DELINQUENT' ? true : null,
  };
}

function creditParts(
  details: RemoteObject,
  { rates }: LiabilityContext,
): Partial<FetchedLiability> {
  const rate = (kind: LiabilityRate['kind'], field: string): LiabilityRate[] => {
    const percentage = percentageOf(details, field, rates);
    return percentage === null ? [] : [{ kind, percentage, balance: null, interestCharged: null }];
  };
  return {
    limit: optionalFigure(details, 'creditLine'),
    available: optionalFigure(details, 'availableCredit'),
    rates: [...rate('purchase', 'purchasesApr'), ...rate('cash', 'advancesApr')],
  };
}

function loanParts(details: RemoteObject, { rates }: LiabilityContext): Partial<FetchedLiability> {
  const percentage = percentageOf(details, 'interestRate', rates);
  return {
    interestRate: percentage && { percentage, type: rateTypeOf(details) },
    principal: known({
      original: optionalFigure(details, 'originalPrincipal'),
      outstanding: optionalFigure(details, 'principalBalance'),
    }),
    originatedOn: optionalDay(details, 'originatingDate'),
    maturesOn: optionalDay(details, 'maturityDate'),
    termMonths: optionalCount(details, 'loanTerm', MAX_TERM),
    paymentsTotal: optionalCount(details, 'totalNumberOfPayments', MAX_PAYMENTS),
    paymentFrequency: optionalWord(details, 'paymentFrequency')?.toLowerCase() ?? null,
    escrow: optionalFigure(details, 'escrowBalance'),
    payoffAmount: firstFigure(details, 'payoffAmount', 'payOffAmount'),
    yearToDate: known({
      interest: optionalFigure(details, 'interestPaidYearToDate'),
      principal: null,
    }),
  };
}

/** A single rate below 1 does not prove a fraction: the operator states what the bank sends. */
function percentageOf(
  details: RemoteObject,
  field: string,
  rates: FdxInstitution['rates'],
): Decimal | null {
  const rate = optionalFigure(details, field);
  return rate === null || rates === 'percent' ? rate : new Decimal(`${rate.toFixed()}e2`);
}

function rateTypeOf(details: RemoteObject): 'fixed' | 'variable' | null {
  const type = details.maybe('interestRateType', (it) =>
    it.oneOf('interestRateType', ['FIXED', 'VARIABLE'] as const),
  );
  return type && ({ FIXED: 'fixed', VARIABLE: 'variable' } as const)[type];
}

/** Null if all members are. */
function known<T extends object>(part: T): T | null {
  return Object.values(part).every((value) => value === null) ? null : part;
}
