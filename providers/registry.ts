import type { Provider } from './provider.js';
import { createSandboxProvider } from './sandbox/sandbox-provider.js';

/** What the providers of an installation need to know. */
export interface ProviderSettings {
  sandboxBankUrl: string;
  /** What the sandbox bank and its callers share. */
  sandboxBankSecret: string;
  /** Where a browser finds the sandbox bank; the same unless given. */
  sandboxBankPublicUrl?: string;
  /** Ids of the sandbox institutions to offer; see `createSandboxProvider`. */
  sandboxInstitutions?: readonly string[];
}

/** Every provider there is: a new adapter adds its line here. */
export function createProviders(settings: ProviderSettings): Provider[] {
  const sandbox = createSandboxProvider({
    baseUrl: settings.sandboxBankUrl,
    secret: settings.sandboxBankSecret,
    publicUrl: settings.sandboxBankPublicUrl,
    institutions: settings.sandboxInstitutions,
  });
  return [sandbox];
}

export interface ProviderRegistry {
  /** Throws when there is no provider of this name. */
  get(name: string): Provider;
  all(): readonly Provider[];
}

export function createProviderRegistry(providers: readonly Provider[]): ProviderRegistry {
  const byName = new Map<string, Provider>();
  for (const provider of providers) {
    if (byName.has(provider.name)) throw new Error(`Two providers are named "${provider.name}".`);
    byName.set(provider.name, provider);
  }
  return {
    get(name) {
      const provider = byName.get(name);
      if (provider === undefined) {
        throw new Error(
          `There is no provider "${name}"; known are: ${[...byName.keys()].join(', ') || 'none'}.`,
        );
      }
      return provider;
    },
    all: () => [...byName.values()],
  };
}
