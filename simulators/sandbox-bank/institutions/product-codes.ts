/**
 * The bank's own codes for kinds of accounts, by the account type of native-api 4.10 that custom
 * data uses.
 */
const PRODUCT_CODE_OF = {
  'depository.checking': 'CHECKING',
  'depository.savings': 'SAVINGS',
  'depository.cash': 'CASH_ACCOUNT',
  'depository.prepaid': 'PREPAID_CARD',
  'depository.money_market': 'MONEY_MARKET',
  'depository.cd': 'TIME_DEPOSIT',
  'depository.other': 'OTHER_DEPOSIT',
  'investment.brokerage': 'BROKERAGE',
  'investment.retirement': 'RETIREMENT',
  'investment.education': 'EDUCATION_SAVINGS',
  'investment.other': 'OTHER_INVESTMENT',
  'liability.credit_card': 'CREDIT_CARD',
  'liability.loan': 'LOAN',
  'liability.mortgage': 'MORTGAGE',
  'liability.student_loan': 'STUDENT_LOAN',
  'liability.line_of_credit': 'LINE_OF_CREDIT',
  'liability.other': 'OTHER_CREDIT',
  'other.other': 'OTHER',
  unknown: 'UNCLASSIFIED',
} as const;

export type ProductCode = (typeof PRODUCT_CODE_OF)[keyof typeof PRODUCT_CODE_OF];

/** The kinds of accounts that hold securities. */
export const INVESTMENT_PRODUCTS: ReadonlySet<ProductCode> = new Set([
  'BROKERAGE',
  'RETIREMENT',
  'EDUCATION_SAVINGS',
  'OTHER_INVESTMENT',
]);

export function productCodeOf(accountType: string): ProductCode | null {
  return Object.hasOwn(PRODUCT_CODE_OF, accountType)
    ? PRODUCT_CODE_OF[accountType as keyof typeof PRODUCT_CODE_OF]
    : null;
}
