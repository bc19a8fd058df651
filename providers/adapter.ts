import type { z } from 'zod';
import type { Provider } from './provider.js';

/** The settings of an adapter: `providers/<adapter>/settings.ts` exports one. */
export interface AdapterSettings {
  /** Shown by `providers show`; each with a description for operators. */
  public: z.ZodObject;
  /** Texts that are sealed and never shown; each with a description for operators. */
  secret: z.ZodObject;
  /**
   * The public parts of keys that the source verifies our signatures with, as JWKs; published at
   * `/provider-keys/<name>`. Missing = the source needs none.
   */
  publicKeys?(
    configuration: Pick<Configuration, 'settings' | 'secrets'>,
  ): readonly Readonly<Record<string, unknown>>[];
  /** Its providers have `readWebhook`, so a configuration can have an address for webhooks. */
  readsWebhooks?: boolean;
}

/** An adapter with one set of the operator's keys, opened and checked against its settings. */
export interface Configuration {
  name: string;
  environment: 'sandbox' | 'live';
  /** As `AdapterSettings.public` returned it. */
  settings: Readonly<Record<string, unknown>>;
  /** As `AdapterSettings.secret` returned it. */
  secrets: Readonly<Record<string, string>>;
}

/** A kind of source. */
export interface Adapter {
  /** Its folder under `providers/`. */
  readonly name: string;
  readonly settings: AdapterSettings;
  /** Does no I/O. @throws Error when the settings contradict each other */
  create(configuration: Configuration): Provider;
  /**
   * Asks the source for what must not change unnoticed later, such as the addresses of an
   * authorization server, when an operator adds the configuration or changes its settings.
   * @returns the public settings to keep instead of the given ones
   * @throws ProviderFailure
   */
  pin?(configuration: Configuration, signal: AbortSignal): Promise<Configuration['settings']>;
}
