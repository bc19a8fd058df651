import { creditLine, mortgage, studentLoan } from './debts.js';
import type { HeldAccount } from './held-account.js';
import { JsonNumber } from './json-number.js';
import { brokeragePositions, retirementPositions } from './positions.js';
import { tradesBefore } from './trades.js';

type OtherKind = Omit<HeldAccount, 'id' | 'name' | 'currency' | 'inLedger'>;

/**
 * Accounts of each category that the ledger has no type for, without numbers. Banks list annuity,
 * insurance and commercial accounts without giving details (FDX 6, descriptors).
 * @param now the time of the prices and statements
 * @param startedAt the time before which all trades were made
 */
export function otherAccounts(
  customerId: string,
  { now, startedAt }: { now: Date; startedAt: Date },
): HeldAccount[] {
  const account = (key: string, name: string, kind: OtherKind): HeldAccount => ({
    id: `${customerId}-${key}`,
    name,
    ...kind,
    currency: 'USD',
    inLedger: null,
  });
  return [
    account('brokerage', 'Brokerage', {
      category: 'INVESTMENT_ACCOUNT',
      accountType: 'TAXABLE',
      mask: '1050',
      details: {
        availableCashBalance: new JsonNumber('8302.18'),
        // 19 digits: more than a double can hold.
        currentValue: new JsonNumber('1234567890123456.789'),
      },
      positions: {
        holdings: [
          {
            holdingName: 'Example Index Fund',
            holdingType: 'MUTUALFUND',
            symbol: 'EXMPL',
            units: new JsonNumber('12.5000'),
            currentUnitPrice: new JsonNumber('101.10'),
            marketValue: new JsonNumber('1263.75'),
            cashAccount: false,
          },
        ],
      },
    }),
    account('portfolio', 'Self-Directed Portfolio', {
      category: 'INVESTMENT_ACCOUNT',
      accountType: 'TAXABLE',
      mask: '1061',
      details: {
        availableCashBalance: new JsonNumber('1550.75'),
        currentValue: new JsonNumber('41173.19'),
      },
      positions: brokeragePositions(now),
      trades: tradesBefore(`${customerId}-portfolio`, startedAt),
    }),
    account('retirement', '401(k) Plan', {
      category: 'INVESTMENT_ACCOUNT',
      accountType: '401K',
      mask: '1072',
      details: {
        availableCashBalance: new JsonNumber('0.00'),
        currentValue: new JsonNumber('12986.40'),
      },
      positions: retirementPositions(now),
    }),
    account('mortgage', 'Home Mortgage', {
      category: 'LOAN_ACCOUNT',
      accountType: 'MORTGAGE',
      mask: '5094',
      details: mortgage(now),
    }),
    account('student', 'Student Loan', {
      category: 'LOAN_ACCOUNT',
      accountType: 'STUDENTLOAN',
      mask: '5105',
      details: studentLoan(now),
    }),
    account('credit-line', 'Personal Line of Credit', {
      category: 'LOC_ACCOUNT',
      accountType: 'LINEOFCREDIT',
      mask: '6116',
      details: creditLine(now),
    }),
    account('annuity', 'Fixed Annuity', {
      category: 'ANNUITY_ACCOUNT',
      accountType: 'FIXEDANNUITY',
      mask: '2061',
      details: null,
    }),
    account('insurance', 'Whole Life Policy', {
      category: 'INSURANCE_ACCOUNT',
      accountType: 'WHOLELIFE',
      mask: '3072',
      details: null,
    }),
    account('commercial', 'Business Deposit', {
      category: 'COMMERCIAL_ACCOUNT',
      accountType: 'COMMERCIALDEPOSIT',
      mask: '4083',
      details: null,
    }),
  ];
}
