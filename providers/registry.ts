import type { Provider } from './contract/provider.js';
import { createSandboxProvider } from './sandbox/sandbox-provider.js';

/** Settings of the providers of an installation. */
export interface ProviderSettings {
  /** Missing: the sandbox bank is not served. */
  sandboxBankUrl?: string | undefined;
  /** The secret shared by the sandbox bank and its callers. */
  sandboxBankSecret?: string | undefined;
  /** The sandbox bank's URL for browsers; `sandboxBankUrl` by default. */
  sandboxBankPublicUrl?: string;
  /** Ids of the sandbox institutions to offer; see `createSandboxProvider`. */
  sandboxInstitutions?: readonly string[];
}

/**
 * The providers that no configuration names. All others are configurations of operators
 * (manifests.ts, open-configuration.ts).
 */
export function createProviders(settings: ProviderSettings): Provider[] {
  const { sandboxBankUrl: baseUrl, sandboxBankSecret: secret } = settings;
  if (baseUrl === undefined || secret === undefined) return [];
  const sandbox = createSandboxProvider({
    baseUrl,
    secret,
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

/** A registry that follows the configurations. A call keeps the provider it started with. */
export interface ChangingRegistry extends ProviderRegistry {
  /** Replaces an earlier provider of this name. */
  put(provider: Provider): void;
  remove(name: string): void;
}

export function createProviderRegistry(providers: readonly Provider[]): ChangingRegistry {
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
    put: (provider) => void byName.set(provider.name, provider),
    remove: (name) => void byName.delete(name),
  };
}
