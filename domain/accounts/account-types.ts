/** Source: native-api 4.10. */
export const ACCOUNT_TYPES = [
  'depository.checking',
  'depository.savings',
  'depository.cash',
  'depository.prepaid',
  'depository.money_market',
  'depository.cd',
  'depository.other',
  'investment.brokerage',
  'investment.retirement',
  'investment.education',
  'investment.other',
  'liability.credit_card',
  'liability.loan',
  'liability.mortgage',
  'liability.student_loan',
  'liability.line_of_credit',
  'liability.other',
  'other.other',
  'unknown',
] as const;
export type AccountType = (typeof ACCOUNT_TYPES)[number];

export function isAccountType(value: string): value is AccountType {
  return (ACCOUNT_TYPES as readonly string[]).includes(value);
}
