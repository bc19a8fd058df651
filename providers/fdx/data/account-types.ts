// cspell:ignoreRegExp /\b[A-Z]{4,}\b/g
import type { AccountType } from '../../../domain/accounts/account-types.js';
import type { TypeEvidence } from '../../../domain/accounts/settle-type.js';

/**
 * `AccountType` of the published schemas of FDX 5 and 6. Left out are those that say who owns an account
 * and not of what kind it is (GUARDIAN, INSTITUTIONALTRUST, TRUST, UGMA, UTMA): their category decides.
 */
const BY_TYPE: Readonly<Record<string, AccountType>> = {
  CHECKING: 'depository.checking',
  SAVINGS: 'depository.savings',
  HIGHINTERESTSAVINGSACCOUNT: 'depository.savings',
  MONEYMARKET: 'depository.money_market',
  CD: 'depository.cd',
  PREPAID: 'depository.prepaid',
  COMMERCIALDEPOSIT: 'depository.other',
  ESCROW: 'depository.other',
  OTHERDEPOSIT: 'depository.other',
  CREDITCARD: 'liability.credit_card',
  CHARGE: 'liability.credit_card',
  LINEOFCREDIT: 'liability.line_of_credit',
  HOMELINEOFCREDIT: 'liability.line_of_credit',
  COMMERCIALLINEOFCREDIT: 'liability.line_of_credit',
  AUTOLOAN: 'liability.loan',
  COMMERCIALLOAN: 'liability.loan',
  INSTALLMENT: 'liability.loan',
  LOAN: 'liability.loan',
  MILITARYLOAN: 'liability.loan',
  PERSONALLOAN: 'liability.loan',
  SMBLOAN: 'liability.loan',
  HOMEEQUITYLOAN: 'liability.loan',
  MORTGAGE: 'liability.mortgage',
  STUDENTLOAN: 'liability.student_loan',
  TAXABLE: 'investment.brokerage',
  BROKERAGEPRODUCT: 'investment.brokerage',
  INVESTMENTACCOUNT: 'investment.brokerage',
  '401A': 'investment.retirement',
  '401K': 'investment.retirement',
  '403B': 'investment.retirement',
  '457': 'investment.retirement',
  DEFERREDPROFITSHARINGPLAN: 'investment.retirement',
  DEFINEDBENEFIT: 'investment.retirement',
  ESOP: 'investment.retirement',
  INDIVIDUALPENSIONPLAN: 'investment.retirement',
  IRA: 'investment.retirement',
  KEOGH: 'investment.retirement',
  LIFEINCOMEFUND: 'investment.retirement',
  LOCKEDINRETIREMENTACCOUNT: 'investment.retirement',
  LOCKEDINRETIREMENTINCOMEFUND: 'investment.retirement',
  LOCKEDINRETIREMENTSAVINGSPLAN: 'investment.retirement',
  NONQUALIFIEDPLAN: 'investment.retirement',
  POOLEDREGISTEREDPENSIONPLAN: 'investment.retirement',
  PRESCRIBEDREGISTEREDRETIREMENTINCOMEFUND: 'investment.retirement',
  REGISTEREDPENSIONPLAN: 'investment.retirement',
  REGISTEREDRETIREMENTINCOMEFUND: 'investment.retirement',
  REGISTEREDRETIREMENTSAVINGSPLAN: 'investment.retirement',
  RESTRICTEDLIFEINCOMEFUND: 'investment.retirement',
  RESTRICTEDLOCKEDINSAVINGSPLAN: 'investment.retirement',
  ROLLOVER: 'investment.retirement',
  ROTH: 'investment.retirement',
  SARSEP: 'investment.retirement',
  SPECIFIEDPENSIONPLAN: 'investment.retirement',
  TDA: 'investment.retirement',
  '529': 'investment.education',
  COVERDELL: 'investment.education',
  REGISTEREDEDUCATIONSAVINGSPLAN: 'investment.education',
  ANNUITY: 'investment.other',
  COMMERCIALINVESTMENT: 'investment.other',
  DIGITALASSET: 'investment.other',
  FIXEDANNUITY: 'investment.other',
  OTHERINVESTMENT: 'investment.other',
  REGISTEREDDISABILITYSAVINGSPLAN: 'investment.other',
  FIRSTHOMESAVINGSACCOUNT: 'investment.other',
  TAXFREESAVINGSACCOUNT: 'investment.other',
  VARIABLEANNUITY: 'investment.other',
  LONGTERMDISABILITY: 'other.other',
  SHORTTERMDISABILITY: 'other.other',
  TERM: 'other.other',
  UNIVERSALLIFE: 'other.other',
  WHOLELIFE: 'other.other',
};

/** Deposits whose type alone would say that they hold securities. */
const DEPOSIT_BY_TYPE: Readonly<Record<string, AccountType>> = {
  FIRSTHOMESAVINGSACCOUNT: 'depository.savings',
  TAXFREESAVINGSACCOUNT: 'depository.savings',
};

/** For a type that is not in the table. Annuities and insurance policies are not money accounts. */
const BY_CATEGORY: Readonly<Record<string, AccountType>> = {
  DEPOSIT_ACCOUNT: 'depository.other',
  LOC_ACCOUNT: 'liability.line_of_credit',
  LOAN_ACCOUNT: 'liability.loan',
  INVESTMENT_ACCOUNT: 'investment.other',
  ANNUITY_ACCOUNT: 'investment.other',
  INSURANCE_ACCOUNT: 'other.other',
  COMMERCIAL_ACCOUNT: 'other.other',
  DIGITAL_WALLET: 'other.other',
};

/** @param type null if the bank does not show it */
export function typeEvidence(category: string, type: string | null): TypeEvidence {
  const deposit = category === 'DEPOSIT_ACCOUNT' ? rowOf(DEPOSIT_BY_TYPE, type) : null;
  return { stated: deposit ?? rowOf(BY_TYPE, type), group: rowOf(BY_CATEGORY, category) };
}

function rowOf(
  table: Readonly<Record<string, AccountType>>,
  name: string | null,
): AccountType | null {
  return name !== null && Object.hasOwn(table, name) ? (table[name] ?? null) : null;
}
