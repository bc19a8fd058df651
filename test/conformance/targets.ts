import type { ProviderCause } from '../../domain/errors/provider-failure.js';
import type {
  LoginContext,
  LoginOutcome,
  Provider,
  ProviderSecret,
} from '../../providers/contract/provider.js';
import { byAdapter, SOURCE_NAMES } from '../support/adapters/by-adapter.js';
import type { SuiteLimits } from './limits.js';
import type { Misbehavior } from './misbehaving-server.js';

/** The login of a user at one institution of a provider. */
export interface ConformanceLogin {
  remoteId: string;
  /** The institution offers no way to end a permission. */
  cannotRevoke?: boolean;
  /** Completes a login that succeeds. */
  logIn(provider: Provider, context: LoginContext): Promise<LoginOutcome>;
  /** Every call of a login that reaches the source, ready to be made at another counterpart. */
  callsInProgress(
    provider: Provider,
    context: LoginContext,
  ): Promise<Record<string, (provider: Provider, context: LoginContext) => Promise<unknown>>>;
}

/**
 * A provider with its running counterpart, and the means to give it a counterpart that misbehaves.
 */
export interface ConformanceTarget {
  provider: Provider;
  /** The address at which its data is read. */
  origin: string;
  /** The same provider with its bank at another address, with these limits. */
  at(baseUrl: string, limits: SuiteLimits): Provider;
  /** A credential whose calls go to another address, where the address is part of it. */
  credentialAt?(credential: ProviderSecret, baseUrl: string): ProviderSecret;
  /** The meaning of a misbehaving counterpart, if it is not the bank itself. */
  causes?: Partial<Readonly<Record<Misbehavior, ProviderCause>>>;
  /** The same for one operation; undefined means the same as for all. */
  causeAt?(operation: string, misbehavior: Misbehavior): ProviderCause | 'no failure' | undefined;
  close(): Promise<void>;
}

export interface ConformanceSubject {
  logins: readonly ConformanceLogin[];
  start(): Promise<ConformanceTarget>;
}

/** The targets of every adapter, and of the sandbox. */
export const SUBJECTS = await byAdapter<ConformanceSubject>('subject', SOURCE_NAMES);
