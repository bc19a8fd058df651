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
   * The public parts of the keys with which the source verifies Tributary's signatures, as JWKs;
   * published at `/provider-keys/<name>`. Missing = the source does not need any.
   */
  publicKeys?(
    configuration: Pick<Configuration, 'settings' | 'secrets'>,
  ): readonly Readonly<Record<string, unknown>>[];
  /**
   * The facts that `Adapter.pin` pinned, in settings as they are stored. Missing = it does not pin
   * any.
   */
  pinned?: {
    /** The changed settings, with the pinned facts of the previous ones where they still apply. */
    keep(changed: PublicSettings, before: PublicSettings): PublicSettings;
    /** The settings without pinned facts, so that the next check pins the source's current ones. */
    forget(settings: PublicSettings): PublicSettings;
    /** The source's ids of the institutions without pinned facts, which receive no logins. */
    missing(settings: PublicSettings): string[];
  };
  /**
   * The source's ids of the institutions that do not support ending a permission, as far as the
   * settings show; `*` = all. Missing = every permission can be ended.
   */
  cannotRevoke?(settings: PublicSettings): string[];
  /**
   * The restrictions of a configuration's environment on its settings, as sentences that operators
   * see on input. Missing = there are none.
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
  /** The name of its adapter. */
  adapter: string;
  name: string;
  environment: 'sandbox' | 'live';
  /** As `AdapterSettings.public` returned it. */
  settings: PublicSettings;
  /** As `AdapterSettings.secret` returned it. */
  secrets: Readonly<Record<string, string>>;
}

/** The parts of a provider that recordings replace. */
export interface AdapterOptions {
  /** Wraps the calls of the provider. */
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
   * Reads facts from the source that must not change unnoticed later, such as the addresses of an
   * authorization server, as far as they are not pinned yet. Called before each check, so that they
   * are pinned when an operator adds the configuration or changes settings that they depend on;
   * `check` reports later differences. Facts that the source does not return stay unpinned.
   * @returns the public settings to store instead of those of the same names; none = everything is
   * pinned
   */
  pin?(configuration: Configuration, signal: AbortSignal): Promise<PublicSettings>;
}
