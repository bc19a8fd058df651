/** The provider of the sandbox banks, as rows name it. It always exists; no configuration has its name. */
export const SANDBOX_PROVIDER = 'sandbox';

export interface ProviderNames {
  /** The name of the sandbox provider for apps. */
  sandboxProviderName: string;
}

/** The name, for apps, of the provider of a row. Source: native-api 4.1. */
export function shownProvider(stored: string, { sandboxProviderName }: ProviderNames): string {
  return stored === SANDBOX_PROVIDER ? sandboxProviderName : stored;
}

/** The name, in rows, of a provider that an app names. Source: native-api 4.1. */
export function storedProvider(named: string, { sandboxProviderName }: ProviderNames): string {
  return named === sandboxProviderName ? SANDBOX_PROVIDER : named;
}
