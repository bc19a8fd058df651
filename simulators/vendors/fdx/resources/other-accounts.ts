import type { HeldAccount } from './held-account.js';
import { JsonNumber } from './json-number.js';

/**
 * One account of each category that the ledger has no type for. They have no rows and no numbers.
 * Banks list annuity, insurance and commercial accounts without giving details (FDX 6, descriptors).
 */
export function otherAccounts(customerId: string): HeldAccount[] {
  const account = (
    key: string,
    name: string,
    kind: Pick<HeldAccount, 'category' | 'accountType' | 'mask' | 'details'>,
  ): HeldAccount => ({
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
