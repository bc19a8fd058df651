import type { Provider } from '../provider.js';
import { fetchAccounts } from './accounts.js';
import { createBankClient, type BankHttpLimits } from './bank-client.js';
import { beginLogin } from './begin-login.js';
import { SANDBOX_INSTITUTIONS } from './institutions.js';
import { revoke } from './revoke.js';
import { fetchTransactions } from './transactions.js';

export interface SandboxProviderOptions {
  /** Where the sandbox bank answers, for example `http://127.0.0.1:4100`. */
  baseUrl: string;
  http?: Partial<BankHttpLimits>;
}

/** The pretend institutions, reached over HTTP exactly as a live bank is. */
export function createSandboxProvider({ baseUrl, http }: SandboxProviderOptions): Provider {
  const callBank = createBankClient(baseUrl, http);
  return {
    name: 'sandbox',
    facts: { idempotentLogin: true, pendingIdsSurvive: true, requestsPerSecond: null, historyDays: 730 },
    institutions: () => SANDBOX_INSTITUTIONS,
    begin: (context) => beginLogin(callBank, context),
    fetchAccounts: (access) => fetchAccounts(callBank, access),
    fetchTransactions: (access, window) => fetchTransactions(callBank, access, window),
    revoke: (access) => revoke(callBank, access),
  };
}
