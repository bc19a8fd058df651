import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import { SANDBOX_PROVIDER } from '../../domain/link/provider-name.js';
import type {
  LoginContext,
  LoginOutcome,
  Provider,
  RedirectAddress,
  RedirectRequest,
} from '../contract/provider.js';
import { checkBank } from './client/check-bank.js';
import { fetchAccountNumbers } from './data/fetch-account-numbers.js';
import { fetchAccounts } from './data/fetch-accounts.js';
import { fetchHoldings } from './data/fetch-holdings.js';
import { fetchInvestmentTransactions } from './data/fetch-investment-transactions.js';
import { fetchLiabilities } from './data/fetch-liabilities.js';
import { createBankClient } from './client/bank-client.js';
import { connectImmediately } from './login/permission.js';
import { createSandboxControls } from './controls/create-controls.js';
import { ANYWHERE } from '../http/address-reach.js';
import { createDispatcher } from '../http/guarded-dispatcher.js';
import { DEFAULT_LIMITS, type BankHttpLimits } from '../http/http-limits.js';
import { fetchIdentity } from './data/fetch-identity.js';
import { SANDBOX_INSTITUTIONS } from './data/sandbox-institutions.js';
import { createOAuthClient } from './client/oauth-client.js';
import {
  completeRedirect,
  startRedirect,
  type RedirectLoginParts,
} from './login/redirect-login.js';
import { offerRedirect } from '../offer-redirect.js';
import { fetchPermissionEnd } from './data/fetch-permission-end.js';
import { revoke } from './login/end-permission.js';
import { answerStep, beginSteps, pollStep, type StepLoginParts } from './login/step-login.js';
import { fetchTransactions } from './data/fetch-transactions.js';

export interface SandboxProviderOptions {
  /** The API of the sandbox bank, for example `http://127.0.0.1:4101`. */
  baseUrl: string;
  /** The secret shared with the bank. */
  secret: string;
  /** The bank's URL for browsers and its OAuth issuer; `baseUrl` by default. */
  publicUrl?: string;
  /** Ids of the institutions to offer; all by default. */
  institutions?: readonly string[];
  http?: Partial<BankHttpLimits>;
}

/** Its redirects are addresses. */
export interface SandboxProvider extends Provider {
  startRedirect(context: LoginContext, redirect: RedirectRequest): Promise<RedirectAddress>;
}

/** The sandbox institutions, called over HTTP exactly like a live bank. */
export function createSandboxProvider({
  baseUrl,
  secret,
  publicUrl,
  institutions,
  http,
}: SandboxProviderOptions): SandboxProvider {
  const limits = { ...DEFAULT_LIMITS, ...http };
  const dispatcher = createDispatcher({ limits, reach: ANYWHERE });
  const address = { baseUrl, secret };
  const callBank = createBankClient(address, limits, dispatcher);
  const issuer = new URL(publicUrl ?? baseUrl).origin;
  const steps: StepLoginParts = { callBank, publicUrl: issuer };
  const redirects: RedirectLoginParts = {
    callBank,
    client: createOAuthClient({ issuer, address, limits, dispatcher }),
    registered: new Map(),
  };
  const offered = SANDBOX_INSTITUTIONS.filter(
    ({ institutionId }) => institutions?.includes(institutionId) ?? true,
  );

  const controls = createSandboxControls(callBank, (remoteId) => loginOf(remoteId) !== 'none');

  return {
    name: SANDBOX_PROVIDER,
    adapter: 'sandbox',
    facts: {
      idempotentLogin: true,
      transactionIds: 'stable',
      requestsPerSecond: null,
      historyDays: 730,
      wholeHistory: 'any_time',
      quotas: [],
      refreshEveryMs: null,
      absence: 'closed',
    },
    institutions: () => offered,
    check: (signal) => checkBank(controls, signal),
    begin,
    advance: (context, state, input) => answerStep(steps, context, state, input),
    poll: (context, state) => pollStep(steps, context, state),
    startRedirect: (context, redirect) => startRedirect(redirects, context, redirect),
    completeRedirect: (context, state, callbackUrl) =>
      completeRedirect(redirects, context, state, callbackUrl),
    fetchAccounts: (access) => fetchAccounts(callBank, access),
    fetchAccountNumbers: (access) => fetchAccountNumbers(callBank, access),
    fetchIdentity: (access) => fetchIdentity(callBank, access),
    fetchTransactions: (access, window) => fetchTransactions(callBank, access, window),
    fetchHoldings: (access) => fetchHoldings(callBank, access),
    fetchInvestmentTransactions: (access, window) =>
      fetchInvestmentTransactions(callBank, access, window),
    fetchLiabilities: (access) => fetchLiabilities(callBank, access),
    fetchPermissionEnd: (access) => fetchPermissionEnd(callBank, access),
    revoke: (access) => revoke(callBank, access),
    sandbox: controls,
  };

  function begin(context: LoginContext): Promise<LoginOutcome> {
    switch (loginOf(context.remoteId)) {
      case 'none':
        return connectImmediately(callBank, context);
      case 'credentials':
        return beginSteps(steps, context);
      case 'oauth':
        return Promise.resolve(offerRedirect());
      case undefined:
        return Promise.reject(
          new ProviderFailure('not_supported', 'The bank does not know this institution.'),
        );
    }
  }
}

function loginOf(wanted: string) {
  return SANDBOX_INSTITUTIONS.find(({ remoteId }) => remoteId === wanted)?.login;
}
