import type { Ledger } from '../../ledger/ledger.js';
import type { Account, AccountType } from '../../ledger/ledger.types.js';
import { negateMoney } from '../../ledger/money.js';
import type { AccountCategory, HeldAccount } from './held-account.js';
import { JsonNumber, type FdxValue } from './json-number.js';

const KINDS: Readonly<Record<AccountType, { category: AccountCategory; accountType: string }>> = {
  checking: { category: 'DEPOSIT_ACCOUNT', accountType: 'CHECKING' },
  savings: { category: 'DEPOSIT_ACCOUNT', accountType: 'SAVINGS' },
  credit_card: { category: 'LOC_ACCOUNT', accountType: 'CREDITCARD' },
  loan: { category: 'LOAN_ACCOUNT', accountType: 'AUTOLOAN' },
  brokerage: { category: 'INVESTMENT_ACCOUNT', accountType: 'BROKERAGE' },
};

/** The accounts of a customer at a bank of the ledger. FDX names currencies by ISO 4217 only. */
export function ledgerAccounts(ledger: Ledger, bankId: string, customerId: string): HeldAccount[] {
  return ledger
    .connectionsAt('fdx', customerId)
    .filter(({ bank }) => bank.id === bankId)
    .flatMap(({ accounts }) => accounts)
    .filter(({ currency }) => /^[A-Z]{3}$/.test(currency))
    .map((account) => ({
      id: account.id,
      name: account.name,
      mask: account.mask,
      ...KINDS[account.type],
      currency: account.currency,
      details: detailsOf(account),
      inLedger: account,
    }));
}

/** In FDX a debt is positive; in the ledger it is negative. */
function detailsOf({ type, balances }: Account): Record<string, FdxValue> {
  const { current, available, limit } = balances;
  const number = (text: string | null) => (text === null ? undefined : new JsonNumber(text));
  switch (type) {
    case 'credit_card':
      return {
        currentBalance: new JsonNumber(negateMoney(current)),
        availableCredit: number(available),
        creditLine: number(limit),
      };
    case 'loan':
      return {
        principalBalance: new JsonNumber(negateMoney(current)),
        interestRate: new JsonNumber('4.25'),
        interestRateType: 'FIXED',
      };
    case 'checking':
    case 'savings':
    case 'brokerage':
      return { currentBalance: new JsonNumber(current), availableBalance: number(available) };
  }
}
