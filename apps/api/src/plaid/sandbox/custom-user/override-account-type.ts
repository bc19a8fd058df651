// cspell:ignore fhsa lrif lrsp prif qshr rdsp rlif rrif
import type { AccountType } from '../../../../../../domain/accounts/account-types.js';

export const OVERRIDE_TYPES = [
  'depository',
  'credit',
  'loan',
  'investment',
  'payroll',
  'other',
] as const;
export type OverrideType = (typeof OVERRIDE_TYPES)[number];

/** By Plaid's type, the account types of its subtypes; several subtypes share one. */
const SUBTYPES: Readonly<Record<OverrideType, Readonly<Partial<Record<AccountType, string>>>>> = {
  depository: {
    'depository.checking': 'checking',
    'depository.savings': 'savings',
    'depository.cash': 'cash management',
    'depository.prepaid': 'prepaid',
    'depository.money_market': 'money market',
    'depository.cd': 'cd',
    'depository.other': 'ebt, hsa, limited purpose checking, paypal',
  },
  credit: { 'liability.credit_card': 'credit card, charge card, credit, paypal' },
  loan: {
    'liability.mortgage': 'mortgage',
    'liability.student_loan': 'student',
    'liability.line_of_credit': 'line of credit, commercial line of credit, home equity, overdraft',
    'liability.loan':
      'loan, auto, business, commercial, construction, consumer, home equity loan, installment',
    'liability.other': 'other',
  },
  investment: {
    'investment.brokerage': 'brokerage, cash isa, isa, non-taxable brokerage account, stock plan',
    'investment.retirement':
      '401a, 401k, 403b, 457b, ira, keogh, lif, lira, lrif, lrsp, pension, prif, profit sharing plan, retirement, rlif, roth, roth 401k, roth 403b, roth 457b, roth pension, roth profit sharing plan, roth thrift savings plan, rrif, rrsp, sarsep, sep ira, simple ira, sipp, thrift savings plan',
    'investment.education': '529, education savings account, resp',
    'investment.other':
      'crypto exchange, fhsa, fixed annuity, gic, health reimbursement arrangement, hsa, life insurance, mutual fund, non-custodial wallet, other, other annuity, other insurance, prediction market, qshr, rdsp, tfsa, trust, ugma, utma, variable annuity',
  },
  payroll: { 'other.other': 'payroll' },
  other: { 'other.other': 'other' },
};

/** The account type where no subtype is stated. */
const WITHOUT_SUBTYPE: Readonly<Record<OverrideType, AccountType>> = {
  depository: 'depository.other',
  credit: 'liability.credit_card',
  loan: 'liability.other',
  investment: 'investment.other',
  payroll: 'other.other',
  other: 'other.other',
};

/** The account type of a Plaid type and subtype; null = Plaid has no such subtype there. */
export function accountTypeOf(type: OverrideType, subtype: string | undefined): AccountType | null {
  if (subtype === undefined) return WITHOUT_SUBTYPE[type];
  const wanted = subtype.toLowerCase();
  const entries = Object.entries(SUBTYPES[type]) as [AccountType, string][];
  return entries.find(([, names]) => names.split(', ').includes(wanted))?.[0] ?? null;
}
