import type { FetchedLiability, LiabilityKind } from '../../../domain/liabilities/liability.js';
import { plausibleLiability } from '../../../domain/liabilities/plausible-liability.js';
import type { ProviderAccess, ProviderLiability } from '../../contract/provider.js';
import type { BankClient } from '../client/bank-client.js';
import { callConnection } from '../client/connection-call.js';
import { readEach, readPart, Unreadable, type ReadScope } from '../../http/read-scope.js';
import { RemoteObject } from '../../http/remote-object.js';
import { MAX_ACCOUNTS } from './fetch-accounts.js';

const MAX_RATES = 20;
/** 100 years of months, and of weekly payments. */
const MAX_TERM = 1_200;
const MAX_PAYMENTS = 5_200;

const KIND_OF = {
  CARD: 'credit',
  LINE_OF_CREDIT: 'line_of_credit',
  MORTGAGE: 'mortgage',
  STUDENT_LOAN: 'student',
  LOAN: 'loan',
} as const satisfies Readonly<Record<string, LiabilityKind>>;
const KINDS = Object.keys(KIND_OF) as (keyof typeof KIND_OF)[];
const RATE_KIND_OF = {
  PURCHASE: 'purchase',
  CASH: 'cash',
  BALANCE_TRANSFER: 'balance_transfer',
  PENALTY: 'penalty',
  SPECIAL: 'special',
} as const;
const RATE_KINDS = Object.keys(RATE_KIND_OF) as (keyof typeof RATE_KIND_OF)[];
const RATE_TYPE_OF = { FIXED: 'fixed', VARIABLE: 'variable' } as const;
const RATE_TYPES = Object.keys(RATE_TYPE_OF) as (keyof typeof RATE_TYPE_OF)[];

export async function fetchLiabilities(
  callBank: BankClient,
  access: ProviderAccess,
): Promise<ProviderLiability[]> {
  const response = await callConnection(callBank, access, { part: 'liabilities' });
  const { note } = access;
  const listed = new RemoteObject(response, 'response').list('liabilities', MAX_ACCOUNTS);
  const seen = new Set<string>();
  const debts = readEach(listed, { scope: 'account', account: null, note }, (remote) => {
    const account = new RemoteObject(remote, 'liability').text('account_id', { max: 100 });
    const scope = { account, note };
    return readPart({ ...scope, scope: 'row' }, () => {
      if (seen.has(account)) throw new Unreadable('liability', 'account_id', 'repeated', 'one');
      seen.add(account);
      return toLiability(remote, scope);
    });
  });
  return debts.filter((debt) => debt !== null);
}

/**
 * Translates a debt. Impossible values are noted.
 * @throws Unreadable without a kind or a currency
 */
export function toLiability(remote: unknown, scope: ReadScope): FetchedLiability {
  const debt = new RemoteObject(remote, 'liability', scope);
  const { liability, implausible } = plausibleLiability(asSent(debt));
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

function asSent(debt: RemoteObject): FetchedLiability {
  const [original, outstanding] = [
    figure(debt, 'original_principal'),
    figure(debt, 'outstanding_principal'),
  ];
  return {
    providerAccountId: debt.text('account_id', { max: 100 }),
    kind: KIND_OF[debt.oneOf('kind', KINDS)],
    currency: debt.currency('currency'),
    balance: figure(debt, 'balance'),
    limit: figure(debt, 'credit_limit'),
    available: figure(debt, 'available_credit'),
    statement: part(debt, 'statement', (it) => ({
      date: day(it, 'date'),
      balance: figure(it, 'balance'),
    })),
    minimumPayment: figure(debt, 'minimum_payment'),
    nextPayment: part(debt, 'next_payment', (it) => ({
      dueOn: day(it, 'due_on'),
      amount: figure(it, 'amount'),
    })),
    lastPayment: part(debt, 'last_payment', (it) => ({
      date: day(it, 'date'),
      amount: figure(it, 'amount'),
    })),
    pastDue: figure(debt, 'past_due'),
    isOverdue: debt.maybe('is_overdue', (it) => it.boolean('is_overdue')),
    rates: debt.parts('rates', MAX_RATES, (rate) => ({
      kind: RATE_KIND_OF[rate.oneOf('kind', RATE_KINDS)],
      percentage: rate.figure('apr'),
      balance: figure(rate, 'balance'),
      interestCharged: figure(rate, 'interest'),
    })),
    interestRate: part(debt, 'interest_rate', (it) => {
      const type = it.maybe('type', () => it.oneOf('type', RATE_TYPES));
      return {
        percentage: it.figure('percentage'),
        type: type === null ? null : RATE_TYPE_OF[type],
      };
    }),
    principal: original === null && outstanding === null ? null : { original, outstanding },
    originatedOn: day(debt, 'originated_on'),
    maturesOn: day(debt, 'matures_on'),
    termMonths: count(debt, 'term_months', MAX_TERM),
    paymentsTotal: count(debt, 'payments_total', MAX_PAYMENTS),
    paymentFrequency: debt.plain('payment_frequency', 40)?.toLowerCase() ?? null,
    escrow: figure(debt, 'escrow_balance'),
    payoffAmount: figure(debt, 'payoff_amount'),
    yearToDate: part(debt, 'year_to_date', (it) => ({
      interest: figure(it, 'interest'),
      principal: figure(it, 'principal'),
    })),
  };
}

const figure = (remote: RemoteObject, field: string) =>
  remote.maybe(field, (it) => it.figure(field));
const day = (remote: RemoteObject, field: string) => remote.maybe(field, (it) => it.day(field));
const count = (remote: RemoteObject, field: string, max: number) =>
  remote.maybe(field, (it) => it.wholeNumber(field, { max }));
const part = <T>(remote: RemoteObject, field: string, read: (part: RemoteObject) => T) =>
  remote.maybe(field, (it) => read(it.object(field)));
