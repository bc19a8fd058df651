import { isAccountType, type AccountType } from '../../../domain/accounts/account-types.js';
import type { RemoteObject } from '../../http/remote-object.js';

/**
 * The protocol has no types, only names. The first matching word decides; a name without any of them
 * is `unknown`.
 */
const BY_NAME: readonly (readonly [RegExp, AccountType])[] = [
  [/\bmortgage\b/i, 'liability.mortgage'],
  [/\bstudent loan\b/i, 'liability.student_loan'],
  [/\b(heloc|(line of credit))\b/i, 'liability.line_of_credit'],
  [/\bloan\b/i, 'liability.loan'],
  [/\b(401\(?k\)?|403b|ira|rrsp|retirement)(?!\w)/i, 'investment.retirement'],
  [/\b(529|resp|education savings)\b/i, 'investment.education'],
  [/\bbrokerage\b/i, 'investment.brokerage'],
  [/\bprepaid\b/i, 'depository.prepaid'],
  [/\bdebit\b/i, 'unknown'],
  [/\b(card|credit card|visa|mastercard|amex)\b/i, 'liability.credit_card'],
  [/\bmoney market\b/i, 'depository.money_market'],
  [/\b(cd|certificate)\b/i, 'depository.cd'],
  [/\bsavings?\b/i, 'depository.savings'],
  [/\b(checking|chequing|share draft)\b/i, 'depository.checking'],
];

/** The type as another Tributary names it, in `extra`. */
export function namedType(account: RemoteObject): AccountType | null {
  const extra = account.any('extra');
  if (typeof extra !== 'object' || extra === null || !('account_type' in extra)) return null;
  const { account_type: type } = extra;
  return typeof type === 'string' && isAccountType(type) ? type : null;
}

export function accountTypeOf(name: string): AccountType {
  return BY_NAME.find(([words]) => words.test(name))?.[1] ?? 'unknown';
}

/** The last digits of the number, if the name ends in them: `Everyday Checking (1234)`. */
export function maskOf(name: string): string | null {
  return /\((?:[x*.•-]*)(\d{4})\)\s*$/i.exec(name)?.[1] ?? null;
}
