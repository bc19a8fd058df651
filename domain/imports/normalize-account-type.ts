import { isAccountType, type AccountType } from '../accounts/account-types.js';

/** Other names of account types, besides the types themselves. Source: native-api 4.10. */
const WORDS: Readonly<Record<string, AccountType>> = {
  // Legacy names.
  credit_card: 'liability.credit_card',
  loan_general: 'liability.loan',
  loan_mortgage: 'liability.mortgage',
  loan_other: 'liability.other',
  investment: 'investment.other',
  other: 'other.other',
  // Second parts that belong to only one group.
  checking: 'depository.checking',
  savings: 'depository.savings',
  cash: 'depository.cash',
  prepaid: 'depository.prepaid',
  money_market: 'depository.money_market',
  cd: 'depository.cd',
  brokerage: 'investment.brokerage',
  retirement: 'investment.retirement',
  education: 'investment.education',
  loan: 'liability.loan',
  mortgage: 'liability.mortgage',
  student_loan: 'liability.student_loan',
  line_of_credit: 'liability.line_of_credit',
  // Groups.
  depository: 'depository.other',
  liability: 'liability.other',
  // Synonyms.
  chequing: 'depository.checking',
  cheque: 'depository.checking',
  current: 'depository.checking',
  giro: 'depository.checking',
  saving: 'depository.savings',
  cash_management: 'depository.cash',
  prepaid_card: 'depository.prepaid',
  certificate_of_deposit: 'depository.cd',
  term_deposit: 'depository.cd',
  credit: 'liability.credit_card',
  credit_line: 'liability.line_of_credit',
  home_equity: 'liability.line_of_credit',
  personal_loan: 'liability.loan',
  auto_loan: 'liability.loan',
  car_loan: 'liability.loan',
  home_loan: 'liability.mortgage',
  student: 'liability.student_loan',
  ira: 'investment.retirement',
  '401k': 'investment.retirement',
  pension: 'investment.retirement',
  '529': 'investment.education',
};

/**
 * The account type that free text denotes; `unknown` if it is not recognized. Source:
 * link-lifecycle 11.
 */
export function normalizeAccountType(text: string): AccountType {
  const lower = text.trim().toLowerCase();
  if (isAccountType(lower)) return lower;
  const words = lower
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_|_$/g, '')
    .replace(/_account$/, '');
  const dotted = words.replace('_', '.');
  if (isAccountType(dotted)) return dotted;
  return (Object.hasOwn(WORDS, words) ? WORDS[words] : undefined) ?? 'unknown';
}
