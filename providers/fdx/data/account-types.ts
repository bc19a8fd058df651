import type { AccountType } from '../../../domain/accounts/account-types.js';
import type { TypeEvidence } from '../../../domain/accounts/settle-type.js';

/** `accountType` of FDX 6. */
const BY_TYPE: Readonly<Record<string, AccountType>> = {
  CHECKING: 'depository.checking',
  SAVINGS: 'depository.savings',
  MONEYMARKET: 'depository.money_market',
  CD: 'depository.cd',
  PREPAID: 'depository.prepaid',
  COMMERCIALDEPOSIT: 'depository.other',
  COMMERCIALINVESTMENT: 'investment.other',
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
  '401A': 'investment.retirement',
  '401K': 'investment.retirement',
  '403B': 'investment.retirement',
  '457': 'investment.retirement',
  DEFINEDBENEFIT: 'investment.retirement',
  IRA: 'investment.retirement',
  KEOGH: 'investment.retirement',
  ROLLOVER: 'investment.retirement',
  ROTH: 'investment.retirement',
  SARSEP: 'investment.retirement',
  '529': 'investment.education',
  COVERDELL: 'investment.education',
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
  const stated = type !== null && Object.hasOwn(BY_TYPE, type) ? BY_TYPE[type] : undefined;
  const group = Object.hasOwn(BY_CATEGORY, category) ? BY_CATEGORY[category] : undefined;
  return { stated: stated ?? null, group: group ?? null };
}
