import { utcDay } from '../../domain/api/timestamps.js';
import { KeysRefused, ProviderFailure } from '../../domain/errors/provider-failure.js';
import type { AdapterOptions, Configuration, PublicSettings } from '../adapter.js';
import { reachOf } from '../http/address-reach.js';
import type { ResolveAll } from '../http/guarded-lookup.js';
import type { BankHttpLimits } from '../http/http-limits.js';
import type { Provider, ProviderAccess, ProviderFacts } from '../contract/provider.js';
import { checkKeys } from './check-keys.js';
import { createBankHttp, FDX_LIMITS, isAllowedAddress } from './client/bank-http.js';
import { readClientCertificate } from './client/client-certificate.js';
import { createOAuthClient } from './client/oauth-client.js';
import { openResources } from './data/resource-reader.js';
import { readSigningKey } from './client/signing-key.js';
import { fetchAccountNumbers } from './data/fetch-account-numbers.js';
import { fetchAccounts } from './data/fetch-accounts.js';
import { fetchHoldings } from './data/fetch-holdings.js';
import { fetchIdentity } from './data/fetch-identity.js';
import { fetchInvestmentTransactions } from './data/fetch-investment-transactions.js';
import { fetchLiabilities } from './data/fetch-liabilities.js';
import { fetchTransactions } from './data/fetch-transactions.js';
import { unknownInstitution } from './failure-table.js';
import { institutionsOf, listInstitutions } from './institutions.js';
import { offerRedirect } from '../offer-redirect.js';
import { requireAllowed } from '../read-settings.js';
import { completeRedirect, startRedirect } from './login/redirect-login.js';
import { revoke } from './login/revoke.js';
import { pinMetadata } from './pin-metadata.js';
import {
  addressesIn,
  FDX_SETTINGS,
  type FdxInstitution,
  type FdxPublicSettings,
  type FdxSecrets,
} from './settings.js';

/** The parts that tests replace. */
export interface FdxOptions extends Pick<AdapterOptions, 'wrapCalls'> {
  http?: Partial<BankHttpLimits>;
  resolve?: ResolveAll;
  now?: () => Date;
}

/** Pins the addresses of each bank's authorization server, as far as they are not pinned yet. */
export async function pinFdx(
  configuration: Configuration,
  signal: AbortSignal,
): Promise<PublicSettings> {
  const { settings, discovery } = openParts(configuration);
  return pinMetadata(discovery, settings.institutions, signal);
}

/**
 * Banks that support FDX 6 over OAuth, with the operator's registration at each.
 * @throws Error when the settings contradict each other
 */
export function createFdxProvider(
  configuration: Configuration,
  options: FdxOptions = {},
): Provider {
  const { now = () => new Date() } = options;
  const { adapter, name, environment } = configuration;
  const { settings, secrets, signingKey, certificate, discovery } = openParts(
    configuration,
    options,
  );
  const { institutions: banks, redirectUri } = settings;
  const { clientSecret } = secrets;
  const client = createOAuthClient({ ...discovery, clientSecret, signingKey, now });
  const institutions = institutionsOf(banks, environment);

  /** Makes calls to a bank; an unknown bank results in a rejection. */
  async function at<T>(
    remoteId: string,
    run: (institution: FdxInstitution) => T | Promise<T>,
  ): Promise<T> {
    const institution = banks.find((bank) => bank.remoteId === remoteId);
    if (institution === undefined) throw unknownInstitution();
    try {
      return await run(institution);
    } catch (error) {
      throw ofOneBank(error);
    }
  }

  /** One bank of several that refuses the keys must not stop the others. */
  const ofOneBank = (error: unknown): unknown =>
    error instanceof KeysRefused && banks.length > 1
      ? new ProviderFailure(error.providerCause, error.message)
      : error;

  const resources = (institution: FdxInstitution, access: ProviderAccess) =>
    openResources({ http: discovery.http, client }, institution, access);

  return {
    name,
    adapter,
    facts: factsOf(banks),
    institutions: () => institutions,
    listInstitutions: (request) => listInstitutions(banks, request),
    check: (signal) =>
      checkKeys({ discovery, client, institutions: banks, certificate, redirectUri, now }, signal),
    begin: ({ remoteId }) => at(remoteId, offerRedirect),
    startRedirect: (context, redirect) =>
      at(context.remoteId, (bank) => startRedirect(client, bank, context, redirect)),
    completeRedirect: (context, state, callbackUrl) =>
      at(context.remoteId, (bank) => completeRedirect(client, bank, context, state, callbackUrl)),
    fetchAccounts: (access) =>
      at(access.remoteId, (bank) => fetchAccounts(resources(bank, access), bank, access)),
    async *fetchTransactions(access, window) {
      const bank = await at(access.remoteId, (found) => found);
      try {
        yield* fetchTransactions(resources(bank, access), bank, window, access);
      } catch (error) {
        throw ofOneBank(error);
      }
    },
    fetchAccountNumbers: (access) =>
      at(access.remoteId, (bank) => fetchAccountNumbers(resources(bank, access), bank, access)),
    fetchIdentity: (access) =>
      at(access.remoteId, (bank) => fetchIdentity(resources(bank, access), bank, access)),
    fetchHoldings: (access) =>
      at(access.remoteId, (bank) =>
        fetchHoldings(resources(bank, access), bank, access, utcDay(now())),
      ),
    fetchInvestmentTransactions: (access, window) =>
      at(access.remoteId, (bank) =>
        fetchInvestmentTransactions(resources(bank, access), bank, window, {
          noting: access,
          today: utcDay(now()),
        }),
      ),
    fetchLiabilities: (access) =>
      at(access.remoteId, (bank) => fetchLiabilities(resources(bank, access), bank, access)),
    revoke: (access) => at(access.remoteId, (bank) => revoke(client, bank, access)),
  };
}

const factsOf = (banks: readonly FdxInstitution[]): ProviderFacts => ({
  idempotentLogin: false,
  // FDX: ids of posted rows are permanent; banks post a pending row under another id.
  transactionIds: 'renewed_when_posted',
  requestsPerSecond: null,
  historyDays: Math.max(...banks.map(({ historyDays }) => historyDays)),
  wholeHistory: 'any_time',
  quotas: [],
  refreshEveryMs: null,
  absence: 'closed',
});

function openParts(
  configuration: Configuration,
  { http = {}, resolve, wrapCalls }: FdxOptions = {},
) {
  // `FDX_SETTINGS` has already parsed them.
  const settings = configuration.settings as FdxPublicSettings;
  const secrets: FdxSecrets = configuration.secrets;
  const { allowLoopback, certificateAuthority } = settings;
  requireAllowed(FDX_SETTINGS, configuration);
  for (const institution of settings.institutions) checkInstitution(institution, settings, secrets);
  const signingKey = secrets.signingKey === undefined ? null : readSigningKey(secrets.signingKey);
  const certificate = readClientCertificate(secrets);
  const limits = { ...FDX_LIMITS, ...http };
  const bankHttp = createBankHttp({
    limits,
    certificate,
    certificateAuthority,
    allowLoopback,
    reach: reachOf(configuration.environment),
    resolve,
    wrapCalls,
  });
  return {
    settings,
    secrets,
    signingKey,
    certificate,
    discovery: { http: bankHttp, allowLoopback },
  };
}

const SECRET_OF = {
  client_secret_basic: 'clientSecret',
  private_key_jwt: 'signingKey',
  mtls: 'clientCertificate',
} as const;

function checkInstitution(
  { remoteId, clientAuthentication, issuer, fdxBase, metadata }: FdxInstitution,
  { allowLoopback }: FdxPublicSettings,
  secrets: FdxSecrets,
): void {
  const needed = SECRET_OF[clientAuthentication];
  if (secrets[needed] === undefined)
    throw new Error(`${remoteId} needs the secret ${needed} for ${clientAuthentication}.`);
  const addresses = [issuer, fdxBase, ...addressesIn(metadata)];
  if (!addresses.every((address) => isAllowedAddress(address, allowLoopback)))
    throw new Error(`The addresses of ${remoteId} must be https.`);
}
