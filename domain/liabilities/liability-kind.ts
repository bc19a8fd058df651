import type { AccountType } from '../accounts/account-types.js';
import type { LiabilityKind } from './liability.js';

const KINDS: Readonly<Partial<Record<AccountType, LiabilityKind>>> = {
  'liability.credit_card': 'credit',
  'liability.line_of_credit': 'line_of_credit',
  'liability.mortgage': 'mortgage',
  'liability.student_loan': 'student',
  'liability.loan': 'loan',
  'liability.other': 'loan',
};

/** The kind of the debt of such an account; null = it has none. Source: native-api 3.15. */
export function liabilityKindOf(accountType: AccountType): LiabilityKind | null {
  return KINDS[accountType] ?? null;
}

/** Kinds whose balance may be a credit in the customer's favor, so that its sign counts. */
export function isRevolving(kind: LiabilityKind): boolean {
  return kind === 'credit' || kind === 'line_of_credit';
}
