import type { AdapterOptions, Configuration } from '../adapter.js';
import { createDispatcher } from '../http/guarded-dispatcher.js';
import type { ResolveAll } from '../http/guarded-lookup.js';
import type { BankHttpLimits } from '../http/http-limits.js';
import { reachOf } from '../http/address-reach.js';
import type { Provider, ProviderFacts } from '../contract/provider.js';
import { listInstitutions } from './catalog/list-institutions.js';
import { checkApplication } from './check-application.js';
import { createApiClient, ENABLE_BANKING_LIMITS } from './client/api-client.js';
import { createTokenSigner } from './client/signed-token.js';
import { RESOURCES, type DataParts } from './data/account-calls.js';
import { fetchAccountNumbers } from './data/fetch-account-numbers.js';
import { fetchAccounts } from './data/fetch-accounts.js';
import { fetchLiabilities } from './data/fetch-liabilities.js';
import { fetchTransactions, HISTORY_DAYS } from './data/fetch-transactions.js';
import { fetchPermissionEnd } from './data/read-session.js';
import {
  completeRedirect,
  offerBankRedirect,
  startRedirect,
  type LoginParts,
} from './login/redirect-login.js';
import { revoke } from './login/revoke.js';
import { type EnableBankingPublicSettings, type EnableBankingSecrets } from './settings.js';

const DAY_SECONDS = 86_400;

const FACTS: ProviderFacts = {
  idempotentLogin: false,
  transactionIds: 'unreliable',
  requestsPerSecond: null,
  historyDays: HISTORY_DAYS,
  wholeHistory: 'after_login',
  // EBA: four accesses a day without the user, for each account and resource.
  quotas: RESOURCES.map((name) => ({
    name,
    per: 'account',
    limit: 4,
    windowSeconds: DAY_SECONDS,
    unattendedOnly: true,
    reserve: 2,
  })),
  refreshEveryMs: 12 * 3_600_000,
  absence: 'closed',
};

/** The parts that tests replace. */
export interface EnableBankingOptions extends AdapterOptions {
  http?: Partial<BankHttpLimits>;
  resolve?: ResolveAll;
}

/**
 * The banks that Enable Banking reaches, with an application of the operator.
 * @throws Error when the settings contradict each other
 */
export function createEnableBankingProvider(
  { adapter, name, environment, settings, secrets }: Configuration,
  {
    http,
    resolve,
    now = () => new Date(),
    wrapCalls = (calls) => calls,
  }: EnableBankingOptions = {},
): Provider {
  // `ENABLE_BANKING_SETTINGS` has already parsed both.
  const { applicationId, apiAddress, redirectAddress, countries, psuTypes } =
    settings as EnableBankingPublicSettings;
  const { privateKey } = secrets as EnableBankingSecrets;

  const limits = { ...ENABLE_BANKING_LIMITS, ...http };
  const callApi = createApiClient({
    address: addressOf(apiAddress, environment),
    sign: createTokenSigner({ applicationId, privateKey }, now),
    limits,
    dispatcher: wrapCalls(createDispatcher({ limits, reach: reachOf(environment), resolve })),
  });
  const login: LoginParts = { callApi, psuTypes, now };
  const data: DataParts = { callApi, now };

  return {
    name,
    adapter,
    facts: FACTS,
    institutions: () => [],
    listInstitutions: (request) => listInstitutions({ callApi, countries, psuTypes }, request),
    check: (signal) => checkApplication({ callApi, redirectAddress, environment, now }, signal),
    begin: async ({ remoteId }) => Promise.resolve(offerBankRedirect(remoteId)),
    startRedirect: (context, redirect) => startRedirect(login, context, redirect),
    completeRedirect: (context, state, callbackUrl) =>
      completeRedirect(login, context, state, callbackUrl),
    fetchAccounts: (access) => fetchAccounts(data, access),
    fetchAccountNumbers: (access) => fetchAccountNumbers(data, access),
    fetchTransactions: (access, window) => fetchTransactions(data, access, window),
    fetchLiabilities: (access) => fetchLiabilities(data, access),
    fetchPermissionEnd: (access) => fetchPermissionEnd(callApi, access),
    revoke: (access) => revoke(callApi, access),
  };
}

/** Requests to this address contain tokens, so only a simulator on this machine may omit TLS. */
function addressOf(apiAddress: string, environment: Configuration['environment']): string {
  const { protocol, hostname, username, search, hash, href } = new URL(apiAddress);
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  if (protocol !== 'https:' && !(environment === 'sandbox' && isLocal))
    throw new Error(
      'apiAddress must be an https address; http is only for a simulator on this machine, with --environment sandbox.',
    );
  if (username !== '' || search !== '' || hash !== '')
    throw new Error('apiAddress must not contain credentials, a query or a fragment.');
  return href.replace(/(?<!\/)\/+$/, '');
}
