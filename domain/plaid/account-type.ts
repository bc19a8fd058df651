export type PlaidType = 'depository' | 'credit' | 'loan' | 'investment' | 'other';

export interface PlaidAccountType {
  type: PlaidType;
  subtype: string | null;
}

/** By native account type. Source: plaid-compat 3.3. */
const TYPES: Readonly<Record<string, PlaidAccountType>> = {
  'depository.checking': { type: 'depository', subtype: 'checking' },
  'depository.savings': { type: 'depository', subtype: 'savings' },
  'depository.prepaid': { type: 'depository', subtype: 'prepaid' },
  'depository.cd': { type: 'depository', subtype: 'cd' },
  'depository.money_market': { type: 'depository', subtype: 'money market' },
  'depository.cash': { type: 'depository', subtype: 'cash management' },
  'depository.other': { type: 'depository', subtype: null },
  'liability.credit_card': { type: 'credit', subtype: 'credit card' },
  'liability.loan': { type: 'loan', subtype: 'loan' },
  'liability.mortgage': { type: 'loan', subtype: 'mortgage' },
  'liability.student_loan': { type: 'loan', subtype: 'student' },
  'liability.line_of_credit': { type: 'loan', subtype: 'line of credit' },
  'liability.other': { type: 'loan', subtype: 'other' },
  'investment.brokerage': { type: 'investment', subtype: 'brokerage' },
  'investment.retirement': { type: 'investment', subtype: 'retirement' },
  'investment.education': { type: 'investment', subtype: 'education savings account' },
  'investment.other': { type: 'investment', subtype: 'other' },
  'other.other': { type: 'other', subtype: 'other' },
  // Some clients fail at a subtype that is null.
  unknown: { type: 'other', subtype: 'other' },
};

/** By the first part of any other type. */
const FIRST_PARTS: Readonly<Record<string, PlaidType>> = {
  depository: 'depository',
  liability: 'loan',
  investment: 'investment',
};

export function plaidAccountType(accountType: string): PlaidAccountType {
  const known = Object.hasOwn(TYPES, accountType) ? TYPES[accountType] : undefined;
  if (known !== undefined) return known;
  const [first = ''] = accountType.split('.');
  return {
    type: (Object.hasOwn(FIRST_PARTS, first) ? FIRST_PARTS[first] : undefined) ?? 'other',
    subtype: null,
  };
}

const WITH_TRANSACTIONS: ReadonlySet<PlaidType> = new Set(['depository', 'credit', 'other']);

/** Whether transactions of such accounts are served. Source: plaid-compat 3.5. */
export function servesTransactions(accountType: string): boolean {
  const { type, subtype } = plaidAccountType(accountType);
  return WITH_TRANSACTIONS.has(type) || (type === 'loan' && subtype === 'student');
}

const WITH_NUMBERS: ReadonlySet<string | null> = new Set([
  'checking',
  'savings',
  'cash management',
]);

/** Whether such accounts have numbers as a rule. Source: plaid-compat 6.2. */
export function expectsNumbers(accountType: string): boolean {
  return WITH_NUMBERS.has(plaidAccountType(accountType).subtype);
}

/** Whether numbers of such accounts are served: also where the source does not say what they are. */
export function servesNumbers(accountType: string): boolean {
  return (
    expectsNumbers(accountType) ||
    accountType === 'depository.other' ||
    plaidAccountType(accountType).type === 'other'
  );
}
