import type { AdapterOptions, Configuration } from '../adapter.js';
import { createDispatcher } from '../http/guarded-dispatcher.js';
import type { ResolveAll } from '../http/guarded-lookup.js';
import type { BankHttpLimits } from '../http/http-limits.js';
import type { Provider, ProviderFacts } from '../contract/provider.js';
import { checkServer } from './check-server.js';
import { addressPolicyOf, checkAddress, type AddressPolicy } from './client/address-policy.js';
import { unknownInstitution } from './client/failure-table.js';
import { createSimplefinClient, SIMPLEFIN_LIMITS } from './client/simplefin-client.js';
import { fetchAccounts } from './data/fetch-accounts.js';
import { fetchHoldings } from './data/fetch-holdings.js';
import { fetchTransactions, HISTORY_DAYS } from './data/fetch-transactions.js';
import { REQUESTS, type DataParts } from './data/read-accounts.js';
import { institutionsOf, knowsInstitution, listInstitutions } from './institutions.js';
import { askForToken, claimToken, type TokenLoginParts } from './login/token-login.js';
import { requireAllowed } from '../read-settings.js';
import { SIMPLEFIN_SETTINGS, type SimplefinPublicSettings } from './settings.js';

const FACTS: ProviderFacts = {
  idempotentLogin: false,
  transactionIds: 'unreliable',
  requestsPerSecond: null,
  historyDays: HISTORY_DAYS,
  wholeHistory: 'any_time',
  quotas: [
    {
      name: REQUESTS,
      per: 'permission',
      limit: 24,
      windowSeconds: 86_400,
      unattendedOnly: false,
      // One refresh of 90 days uses four.
      reserve: 8,
    },
  ],
  // Servers update from the banks about once a day.
  refreshEveryMs: 12 * 3_600_000,
  absence: 'unknown',
};

/** The parts that tests replace. */
export interface SimplefinOptions extends AdapterOptions {
  http?: Partial<BankHttpLimits>;
  resolve?: ResolveAll;
}

/**
 * A SimpleFIN server, which each user opens with their own setup token.
 * @throws Error when the settings contradict each other
 */
export function createSimplefinProvider(
  { adapter, name, environment, settings }: Configuration,
  { http, resolve, now = () => new Date(), wrapCalls = (calls) => calls }: SimplefinOptions = {},
): Provider {
  // `SIMPLEFIN_SETTINGS` has already parsed it.
  const known = settings as SimplefinPublicSettings;
  const { server: given, ...rest } = known;
  requireAllowed(SIMPLEFIN_SETTINGS, { environment, settings });
  const policy = addressPolicyOf(rest);
  const server = serverOf(given, policy);

  const limits = { ...SIMPLEFIN_LIMITS, ...http };
  const dispatcher = wrapCalls(createDispatcher({ limits, reach: policy.reach, resolve }));
  const callServer = createSimplefinClient(limits, dispatcher);
  const login: TokenLoginParts = { callServer, policy, createUrl: `${server}/create` };
  const data: DataParts = { callServer, policy, now };
  const institutions = institutionsOf(name, environment, known);

  return {
    name,
    adapter,
    facts: FACTS,
    institutions: () => institutions,
    listInstitutions: (request) => listInstitutions(known, request),
    check: (signal) => checkServer(callServer, server, signal),
    begin: ({ remoteId }) =>
      knowsInstitution(known, remoteId)
        ? Promise.resolve(askForToken(login))
        : Promise.reject(unknownInstitution()),
    advance: (context, _state, input) => claimToken(login, context, input),
    fetchAccounts: (access) => fetchAccounts(data, access),
    fetchTransactions: (access, window) => fetchTransactions(data, access, window),
    fetchHoldings: (access) => fetchHoldings(data, access),
  };
}

function serverOf(given: string, policy: AddressPolicy): string {
  const url = checkAddress(given.endsWith('/') ? given : `${given}/`, policy);
  if (url === null || url.search !== '')
    throw new Error(
      'server must be an https address of one of hosts, without credentials, a query or capital letters in its host.',
    );
  return url.href.replace(/(?<!\/)\/+$/, '');
}
