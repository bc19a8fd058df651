import type { StepInput } from '../domain/session/connect-step.js';
import type { Product } from '../domain/link/products.js';
import type {
  ProviderAccess,
  ProviderAccount,
  ProviderAccountNumbers,
  ProviderAccountOwners,
  ProviderTransactionPage,
  TransactionWindow,
} from './provider-data.js';
import type {
  LoginContext,
  LoginOutcome,
  RedirectRequest,
  RedirectStart,
} from './provider-login.js';
import type { ProviderSecret } from './provider.types.js';
import type { SandboxControls } from './sandbox-controls.js';

// The types of the contract, by subject: login, data, and the controls of sandbox providers.
export type * from './provider-data.js';
export type * from './provider-login.js';
export type * from './provider.types.js';
export type * from './sandbox-controls.js';

/**
 * The contract between Tributary and a source of bank data.
 *
 * An adapter is an object with the members it implements; having a method declares the capability.
 * Methods throw `ProviderFailure` (domain/errors/provider-failure.ts) and nothing else on purpose.
 * They accept an `AbortSignal`; when it fires, they stop their I/O and reject with the signal's
 * reason. Adapters keep no state: what must survive between two calls is returned to the core,
 * which seals and stores it.
 */
export interface Provider {
  readonly name: string;
  readonly facts: ProviderFacts;
  /**
   * The institutions available through this provider, with the products each supports. Static or
   * cached; no I/O at startup.
   */
  institutions(): readonly ProviderInstitution[];

  /** Starts a login. Called once per attempt; not idempotent unless `facts.idempotentLogin`. */
  begin(context: LoginContext): Promise<LoginOutcome>;
  /** Submits the user's answer to the step of the last outcome. */
  advance?(context: LoginContext, state: ProviderSecret, input: StepInput): Promise<LoginOutcome>;
  /**
   * Checks a `wait` step: returns the same step again, the next one, or the end. Has no side
   * effects; safe to repeat.
   */
  poll?(context: LoginContext, state: ProviderSecret): Promise<LoginOutcome>;

  /**
   * Starts a redirect to the bank's own pages. Every call with an `attemptKey` of its own starts a
   * new redirect, with its own PKCE verifier and nonce; earlier redirects stay valid until they
   * expire. Source: connect 7.
   */
  startRedirect?(context: LoginContext, redirect: RedirectRequest): Promise<RedirectStart>;
  /**
   * Completes a redirect. `callbackUrl` is the complete URL that was called, `state` the bytes of
   * the `startRedirect` whose `state` it carries. A refusal at the bank is thrown (`user_denied`,
   * …). Not idempotent: an authorization code works once.
   */
  completeRedirect?(
    context: LoginContext,
    state: ProviderSecret,
    callbackUrl: string,
  ): Promise<LoginOutcome>;

  fetchAccounts(access: ProviderAccess): Promise<ProviderAccount[]>;
  /**
   * Returns every transaction of the window, each id once, in pages of any order; complete unless a
   * page limits it in `covered`.
   */
  fetchTransactions?(
    access: ProviderAccess,
    window: TransactionWindow,
  ): AsyncIterable<ProviderTransactionPage>;
  /**
   * Returns how money reaches the accounts, each at most once. Accounts that cannot receive money
   * may be omitted.
   */
  fetchAccountNumbers?(access: ProviderAccess): Promise<ProviderAccountNumbers[]>;
  /**
   * Returns the owners of the accounts, each account at most once. Accounts with unknown owners may
   * be omitted.
   */
  fetchIdentity?(access: ProviderAccess): Promise<ProviderAccountOwners[]>;

  /**
   * Returns when the permission ends unless its owner renews it, in the time of its world; null =
   * no known time. The result stays the same until the owner renews it. Called after each login and
   * with each fetch of accounts; a failure changes nothing.
   */
  fetchPermissionEnd?(access: ProviderAccess): Promise<Date | null>;

  /** Revokes the permission at the bank. Idempotent. */
  revoke?(access: ProviderAccess): Promise<void>;

  /** Controls that only a sandbox provider has. */
  sandbox?: SandboxControls;
}

export interface ProviderFacts {
  /** A lost `begin` may be repeated without harm, so the activity may retry it. */
  idempotentLogin: boolean;
  /** A pending transaction keeps its id when it posts. */
  pendingIdsSurvive: boolean;
  /** The provider's limit of calls per second, or null. Becomes the rate of its task queue. */
  requestsPerSecond: number | null;
  /** The most days of history that a fetch can return. */
  historyDays: number;
}

export interface ProviderInstitution {
  /** Our id, a readable slug. */
  institutionId: string;
  /** The provider's id. */
  remoteId: string;
  name: string;
  country: 'US' | 'GB' | 'CA';
  domain: string | null;
  color: string | null;
  colorDark: string | null;
  isFeatured: boolean;
  environment: 'sandbox' | 'live';
  login: 'credentials' | 'oauth' | 'none';
  products: readonly Product[];
  aliases: readonly string[];
  /** Further names to search by; never shown. */
  otherNames?: readonly string[];
}
