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

// The words of the contract, by subject: logging in, data, and what only a pretend source can do.
export type * from './provider-data.js';
export type * from './provider-login.js';
export type * from './provider.types.js';
export type * from './sandbox-controls.js';

/**
 * The contract between Tributary and a source of bank data.
 *
 * An adapter is an object with the members it implements: a capability is declared by having the method.
 * Every method may throw `ProviderFailure` (domain/errors/provider-failure.ts) and nothing else on purpose; every method
 * takes an `AbortSignal`, stops its I/O when it fires and then rejects with the signal's reason. Adapters keep no state: what must survive between two
 * calls is returned to the core, which seals and stores it.
 */
export interface Provider {
  readonly name: string;
  readonly facts: ProviderFacts;
  /** The institutions reachable through this provider, with the products each carries. Static or cached; no I/O at start. */
  institutions(): readonly ProviderInstitution[];

  /** Starts a login. Called once per attempt; not idempotent unless `facts.idempotentLogin`. */
  begin(context: LoginContext): Promise<LoginOutcome>;
  /** Answers the step that the last outcome asked for. */
  advance?(context: LoginContext, state: ProviderSecret, input: StepInput): Promise<LoginOutcome>;
  /** Asks how a `wait` step stands: the same step again, the next one, or the end. Changes nothing by itself; safe to repeat. */
  poll?(context: LoginContext, state: ProviderSecret): Promise<LoginOutcome>;

  /**
   * Opens a way to the bank's own pages. Every call with an `attemptKey` of its own is a new way, with its own PKCE
   * verifier and nonce; ways opened earlier stay good until they expire. Source: connect 7.
   */
  startRedirect?(context: LoginContext, redirect: RedirectRequest): Promise<RedirectStart>;
  /**
   * Redeems what the bank sent the user back with. `callbackUrl` is the whole address that was called, `state` the
   * bytes of the `startRedirect` whose `state` it carries. A refusal at the bank is thrown (`user_denied`, …). Not
   * idempotent: a code is good once.
   */
  completeRedirect?(
    context: LoginContext,
    state: ProviderSecret,
    callbackUrl: string,
  ): Promise<LoginOutcome>;

  fetchAccounts(access: ProviderAccess): Promise<ProviderAccount[]>;
  /** Every row of the window, each id once, in pages of any order; complete unless a page says otherwise in `covered`. */
  fetchTransactions?(
    access: ProviderAccess,
    window: TransactionWindow,
  ): AsyncIterable<ProviderTransactionPage>;
  /** How money reaches the accounts, each at most once; one that money cannot be sent to may be left out. */
  fetchAccountNumbers?(access: ProviderAccess): Promise<ProviderAccountNumbers[]>;
  /** Who owns the accounts, each account at most once; one whose owners the source does not know may be left out. */
  fetchIdentity?(access: ProviderAccess): Promise<ProviderAccountOwners[]>;

  /**
   * When the permission ends by itself unless its owner renews it: the same moment as long as he has not, in the time of its
   * world; null = at no time the source knows. Asked after each login and with each fetch of accounts; a failure changes nothing.
   */
  fetchPermissionEnd?(access: ProviderAccess): Promise<Date | null>;

  /** Ends the permission at the bank. Idempotent: revoking twice succeeds. */
  revoke?(access: ProviderAccess): Promise<void>;

  /** What only a pretend source can do. */
  sandbox?: SandboxControls;
}

export interface ProviderFacts {
  /** True when a lost `begin` may be sent again without harm, so that the activity may retry. */
  idempotentLogin: boolean;
  /** A pending transaction keeps its id when it posts. */
  pendingIdsSurvive: boolean;
  /** The provider's own limit of calls per second, or null. It becomes the rate of its task queue. */
  requestsPerSecond: number | null;
  /** Most days of history any fetch can bring. */
  historyDays: number;
}

export interface ProviderInstitution {
  /** Our id, a readable slug. */
  institutionId: string;
  /** The provider's name for it. */
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
  /** Further names that people search for; they are never shown. */
  otherNames?: readonly string[];
}
