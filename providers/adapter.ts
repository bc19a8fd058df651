import type { Dispatcher } from 'undici';
import type { z } from 'zod';
import type { Provider } from './contract/provider.js';

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
  /** What `Adapter.pin` pinned, in settings as they are stored. Missing = it pins nothing. */
  pinned?: {
    /** The changed settings, with what is pinned in those before for what stays the same. */
    keep(changed: PublicSettings, before: PublicSettings): PublicSettings;
    /** Without it: the next check pins what the source says then. */
    forget(settings: PublicSettings): PublicSettings;
    /** The source's ids of the institutions of which nothing is pinned: no login goes there. */
    missing(settings: PublicSettings): string[];
  };
  /**
   * The source's ids of the institutions that offer no way to end a permission, as far as the settings
   * say; `*` = all. Missing = every permission can be ended.
   */
  cannotRevoke?(settings: PublicSettings): string[];
  /**
   * What the environment of a configuration forbids of its settings, a sentence each; operators read
   * it when they give them. Missing = it forbids nothing.
   */
  refusedIn?(
    environment: Configuration['environment'],
    settings: PublicSettings,
  ): readonly string[];
  /** Its providers have `readWebhook`, so a configuration can have an address for webhooks. */
  readsWebhooks?: boolean;
}

export type PublicSettings = Readonly<Record<string, unknown>>;

/** An adapter with one set of the operator's keys, opened and checked against its settings. */
export interface Configuration {
  name: string;
  environment: 'sandbox' | 'live';
  /** As `AdapterSettings.public` returned it. */
  settings: PublicSettings;
  /** As `AdapterSettings.secret` returned it. */
  secrets: Readonly<Record<string, string>>;
}

/** What recordings replace in a provider. */
export interface AdapterOptions {
  /** What the calls of the provider go through. */
  wrapCalls?: WrapCalls;
  now?: () => Date;
}

export type WrapCalls = (dispatcher: Dispatcher) => Dispatcher;

/** A kind of source. */
export interface Adapter {
  /** Its folder under `providers/`. */
  readonly name: string;
  readonly settings: AdapterSettings;
  /** Does no I/O. @throws Error when the settings contradict each other */
  create(configuration: Configuration, options?: AdapterOptions): Provider;
  /**
   * Asks the source for what must not change unnoticed later, such as the addresses of an
   * authorization server, as far as it is not pinned yet. Called before each check, so that it is
   * pinned when an operator adds the configuration or changes what it depends on; `check` reports
   * what differs later. What a source does not answer stays unpinned.
   * @returns the public settings to store instead of those of the same names; none = all is pinned
   */
  pin?(configuration: Configuration, signal: AbortSignal): Promise<PublicSettings>;
}
