import { Decimal } from 'decimal.js';
import type { Configuration } from '../../../../providers/adapter.js';
import type {
  OfferedInstitution,
  Provider,
  ProviderAccount,
  ProviderFacts,
  ProviderTransaction,
} from '../../../../providers/contract/provider.js';
import type { ToySettings } from './settings.js';

const FACTS: ProviderFacts = {
  idempotentLogin: true,
  transactionIds: 'stable',
  requestsPerSecond: null,
  historyDays: 90,
  wholeHistory: 'any_time',
  quotas: [],
  refreshEveryMs: null,
  absence: 'closed',
};

const ACCOUNT: ProviderAccount = {
  providerAccountId: 'piggy-bank',
  accountType: 'depository.savings',
  name: 'Piggy Bank',
  mask: '0001',
  currency: 'USD',
  available: null,
  current: new Decimal('12.50'),
  limit: null,
  balanceDate: null,
};

const deposit = (date: string): ProviderTransaction => ({
  providerTransactionId: 'pocket-money',
  providerAccountId: ACCOUNT.providerAccountId,
  amount: new Decimal('2.50'),
  type: 'credit',
  currency: 'USD',
  date,
  datetime: null,
  description: 'Pocket money',
  rawDescription: null,
  pending: false,
  category: null,
});

/** A source without I/O: every login succeeds at once. */
export function createToyProvider({
  adapter,
  name,
  environment,
  settings,
}: Configuration): Provider {
  // Parsed by `public` before.
  const { bankName } = settings as ToySettings;
  const bank: OfferedInstitution = {
    institutionId: `${name}-bank`,
    remoteId: 'bank',
    name: bankName,
    country: 'US',
    domain: null,
    color: null,
    colorDark: null,
    isFeatured: false,
    environment,
    login: 'none',
    products: ['accounts', 'transactions'],
    aliases: [],
  };
  return {
    name,
    adapter,
    facts: FACTS,
    institutions: () => [bank],
    check: () =>
      Promise.resolve({ ok: true, lines: [], keysRefused: false, credentialsEndAt: null }),
    begin: ({ attemptKey }) =>
      Promise.resolve({
        kind: 'linked',
        credential: new TextEncoder().encode('toy'),
        reference: attemptKey,
        consent: 'given_at_bank',
      }),
    fetchAccounts: () => Promise.resolve({ accounts: [ACCOUNT], unreported: [] }),
    async *fetchTransactions(_access, window) {
      yield { transactions: [deposit(window.to)] };
    },
  };
}
