// cspell:disable: account types of FDX
import { settleType } from '../../../../domain/accounts/settle-type.js';
import { typeEvidence } from '../../../../providers/fdx/data/account-types.js';

const typeOf = (category: string, type: string) => settleType(typeEvidence(category, type), null);

/** The enumeration `AccountType` as FDX publishes it, by what each is here, with its category there. */
const PUBLISHED = {
  'depository.checking': { DEPOSIT_ACCOUNT: 'CHECKING' },
  'depository.savings': {
    DEPOSIT_ACCOUNT:
      'SAVINGS FIRSTHOMESAVINGSACCOUNT HIGHINTERESTSAVINGSACCOUNT TAXFREESAVINGSACCOUNT',
  },
  'depository.money_market': { DEPOSIT_ACCOUNT: 'MONEYMARKET' },
  'depository.cd': { DEPOSIT_ACCOUNT: 'CD' },
  'depository.prepaid': { DEPOSIT_ACCOUNT: 'PREPAID' },
  'depository.other': {
    DEPOSIT_ACCOUNT: 'ESCROW OTHERDEPOSIT COMMERCIALDEPOSIT GUARDIAN TRUST UGMA UTMA',
    COMMERCIAL_ACCOUNT: 'COMMERCIALDEPOSIT',
  },
  'liability.credit_card': { LOC_ACCOUNT: 'CREDITCARD CHARGE' },
  'liability.line_of_credit': {
    LOC_ACCOUNT: 'LINEOFCREDIT HOMELINEOFCREDIT COMMERCIALLINEOFCREDIT',
    COMMERCIAL_ACCOUNT: 'COMMERCIALLINEOFCREDIT',
  },
  'liability.loan': {
    LOAN_ACCOUNT:
      'AUTOLOAN COMMERCIALLOAN HOMEEQUITYLOAN INSTALLMENT LOAN MILITARYLOAN PERSONALLOAN SMBLOAN',
  },
  'liability.mortgage': { LOAN_ACCOUNT: 'MORTGAGE' },
  'liability.student_loan': { LOAN_ACCOUNT: 'STUDENTLOAN' },
  'investment.brokerage': { INVESTMENT_ACCOUNT: 'BROKERAGEPRODUCT INVESTMENTACCOUNT TAXABLE' },
  'investment.retirement': {
    INVESTMENT_ACCOUNT:
      '401A 401K 403B 457 DEFERREDPROFITSHARINGPLAN DEFINEDBENEFIT ESOP INDIVIDUALPENSIONPLAN IRA KEOGH ' +
      'LIFEINCOMEFUND LOCKEDINRETIREMENTACCOUNT LOCKEDINRETIREMENTINCOMEFUND LOCKEDINRETIREMENTSAVINGSPLAN ' +
      'NONQUALIFIEDPLAN POOLEDREGISTEREDPENSIONPLAN PRESCRIBEDREGISTEREDRETIREMENTINCOMEFUND ' +
      'REGISTEREDPENSIONPLAN REGISTEREDRETIREMENTINCOMEFUND REGISTEREDRETIREMENTSAVINGSPLAN ' +
      'RESTRICTEDLIFEINCOMEFUND RESTRICTEDLOCKEDINSAVINGSPLAN ROLLOVER ROTH SARSEP SPECIFIEDPENSIONPLAN TDA',
    DEPOSIT_ACCOUNT: 'REGISTEREDRETIREMENTSAVINGSPLAN IRA',
  },
  'investment.education': { INVESTMENT_ACCOUNT: '529 COVERDELL REGISTEREDEDUCATIONSAVINGSPLAN' },
  'investment.other': {
    INVESTMENT_ACCOUNT:
      'COMMERCIALINVESTMENT DIGITALASSET FIRSTHOMESAVINGSACCOUNT GUARDIAN INSTITUTIONALTRUST OTHERINVESTMENT ' +
      'REGISTEREDDISABILITYSAVINGSPLAN TAXFREESAVINGSACCOUNT TRUST UGMA UTMA',
    ANNUITY_ACCOUNT: 'ANNUITY FIXEDANNUITY VARIABLEANNUITY',
  },
  'other.other': {
    INSURANCE_ACCOUNT: 'LONGTERMDISABILITY SHORTTERMDISABILITY TERM UNIVERSALLIFE WHOLELIFE',
  },
};

const rows = Object.entries(PUBLISHED).flatMap(([expected, categories]) =>
  Object.entries(categories).flatMap(([category, types]) =>
    types.split(' ').map((type): [string, string, string] => [category, type, expected]),
  ),
);

it.each(rows)('An account of FDX of the category %s and the type %s is %s', (...row) => {
  const [category, type, expected] = row;
  expect(typeOf(category, type)).toBe(expected);
});

it.each(['COMMERCIALLINEOFCREDIT', 'ANNUITY', 'WHOLELIFE', 'MORTGAGE', 'OTHERDEPOSIT', 'ROTH'])(
  'An account of FDX of the type %s has its kind in a category that is not known yet, too',
  (type) => {
    expect(typeOf('TOMORROWS_ACCOUNT', type)).not.toBe('unknown');
  },
);
