import type { Provider } from '../../providers/provider.js';
import { createSandboxProvider } from '../../providers/sandbox/sandbox-provider.js';
import { createTestDatabase } from '../support/embedded-services.js';
import { startSandboxBank } from '../support/sandbox-bank.js';

/** A provider with its counterpart running, and ways to give it a counterpart that misbehaves. */
export interface ConformanceTarget {
  provider: Provider;
  /** An institution where `begin` alone leads to a permission. */
  remoteId: string;
  /** The same provider, told to find its counterpart at another address and to be impatient with it. */
  at(baseUrl: string): Provider;
  close(): Promise<void>;
}

/** One line per provider of the registry. */
export const TARGETS: Readonly<Record<string, () => Promise<ConformanceTarget>>> = {
  sandbox: startSandboxTarget,
};

async function startSandboxTarget(): Promise<ConformanceTarget> {
  const database = await createTestDatabase();
  const bank = await startSandboxBank({ databaseUrl: database.url });
  return {
    provider: createSandboxProvider({ baseUrl: bank.url }),
    remoteId: 'sandbox-instant-bank',
    at: (baseUrl) =>
      createSandboxProvider({ baseUrl, http: { maxResponseBytes: 256 * 1024, silenceTimeoutMs: 500, callTimeoutMs: 1_500 } }),
    async close() {
      await bank.stop();
      await database.drop();
    },
  };
}
