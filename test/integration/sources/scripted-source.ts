import type { SourceFault } from '../../../domain/refresh/source-fault.js';
import type {
  Provider,
  ProviderAccess,
  ProviderAccount,
  ProviderAccountNumbers,
  ProviderAccountOwners,
  ProviderFacts,
  ProviderTransaction,
} from '../../../providers/contract/provider.js';
import { testProvider } from '../../support/fixtures/fetching-link.js';
import { GENEROUS_FACTS } from '../../support/fixtures/provider-calls.js';

/** The response of a source to each call, and the parts that its adapter could not read. */
export interface ScriptedAnswer {
  accounts: readonly ProviderAccount[];
  unreported: readonly string[];
  numbers: readonly ProviderAccountNumbers[];
  owners: readonly ProviderAccountOwners[];
  rows: readonly ProviderTransaction[];
  faults: readonly SourceFault[];
}

/** A source that returns the current answer. */
export function scriptedSource(
  answer: (access: ProviderAccess) => ScriptedAnswer,
  facts: Partial<ProviderFacts> = {},
): Provider {
  /** Rejects with the error that `answer` throws. */
  const noted = (access: ProviderAccess): Promise<ScriptedAnswer> =>
    Promise.resolve().then(() => {
      const now = answer(access);
      for (const fault of now.faults) access.note(fault);
      return now;
    });
  return testProvider({
    facts: { ...GENEROUS_FACTS, ...facts },
    fetchAccounts: async (access) => {
      const { accounts, unreported } = await noted(access);
      return { accounts: [...accounts], unreported };
    },
    fetchAccountNumbers: async (access) => [...(await noted(access)).numbers],
    fetchIdentity: async (access) => [...(await noted(access)).owners],
    async *fetchTransactions(access) {
      const { rows, unreported } = await noted(access);
      yield { transactions: [...rows], unreported };
    },
  });
}

/** A fault in the adapter's reading. */
export const faultOf = (
  scope: SourceFault['scope'],
  account: string | null,
  more: Partial<SourceFault> = {},
): SourceFault => ({
  scope,
  account,
  resource: 'account',
  field: 'currency',
  reason: 'missing',
  ...more,
});

export const numbersOf = (providerAccountId: string): ProviderAccountNumbers => ({
  providerAccountId,
  numbers: {
    ach: [{ accountNumber: '1', routingNumber: '2', wireRoutingNumber: null }],
    eft: [],
    bacs: [],
    international: [],
  },
});

export const ownersOf = (providerAccountId: string): ProviderAccountOwners => ({
  providerAccountId,
  owners: [{ names: ['Ada Example'], addresses: [], phoneNumbers: [], emails: [] }],
});
