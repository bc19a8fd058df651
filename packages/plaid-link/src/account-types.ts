type Shown = readonly [type: string, subtype: string | null];

/** plaid-compat 3.3, in the form of the service itself. */
const ACCOUNT_TYPES: Readonly<Record<string, Shown>> = {
  'depository.checking': ['depository', 'checking'],
  'depository.savings': ['depository', 'savings'],
  'depository.prepaid': ['depository', 'prepaid'],
  'depository.cd': ['depository', 'cd'],
  'depository.money_market': ['depository', 'money market'],
  'depository.cash': ['depository', 'cash management'],
  'depository.other': ['depository', null],
  'liability.credit_card': ['credit', 'credit card'],
  'liability.loan': ['loan', 'loan'],
  'liability.mortgage': ['loan', 'mortgage'],
  'liability.student_loan': ['loan', 'student'],
  'liability.line_of_credit': ['loan', 'line of credit'],
  'liability.other': ['loan', 'other'],
  'investment.brokerage': ['investment', 'brokerage'],
  'investment.retirement': ['investment', 'retirement'],
  'investment.education': ['investment', 'education savings account'],
  'investment.other': ['investment', 'other'],
  'other.other': ['other', 'other'],
  unknown: ['other', 'other'],
};
const FIRST_PARTS: Readonly<Record<string, string>> = {
  depository: 'depository',
  liability: 'loan',
  investment: 'investment',
};

export function accountType(ours: string): Shown {
  return ACCOUNT_TYPES[ours] ?? [FIRST_PARTS[ours.split('.')[0] ?? ''] ?? 'other', null];
}
