import type { Provider } from './provider.js';
import { createSandboxProvider } from './sandbox/sandbox-provider.js';

/** Settings of the providers of an installation. */
export interface ProviderSettings {
  sandboxBankUrl: string;
  /** The secret shared by the sandbox bank and its callers. */
  sandboxBankSecret: string;
  /** The sandbox bank's URL for browsers; `sandboxBankUrl` by default. */
  sandboxBankPublicUrl?: string;
  /** Ids of the sandbox institutions to offer; see `createSandboxProvider`. */
  sandboxInstitutions?: readonly string[];
}

/** All providers. A new adapter adds its line here. */
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
  /** Throws if there is no provider with this name. */
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
          `There is no provider "${name}"; known providers: ${[...byName.keys()].join(', ') || 'none'}.`,
        );
      }
      return provider;
    },
    all: () => [...byName.values()],
  };
}
