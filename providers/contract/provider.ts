import type { Absence } from '../../domain/accounts/absence.js';
import type { OfferedInstitution } from '../../domain/institutions/offered-institution.js';
import type { StepInput } from '../../domain/session/connect-step.js';
import type { ConfigurationReport } from './configuration-report.js';
import type { CatalogInstitution, CatalogRequest } from './provider-catalog.js';
import type {
  AccountListing,
  ProviderAccess,
  ProviderAccountNumbers,
  ProviderAccountOwners,
  ProviderHoldings,
  ProviderLiability,
  ProviderTrades,
  ProviderTransactionPage,
  TransactionWindow,
} from './provider-data.js';
import type {
  LoginContext,
  LoginOutcome,
  RedirectRequest,
  RedirectStart,
} from './provider-login.js';
import type { UpdateOutcome, UpdateRequest } from './provider-update.js';
import type { InboundWebhook, WebhookMeaning } from './provider-webhook.js';
import type { ProviderSecret, RevocationOutcome } from './provider.types.js';
import type { SandboxControls } from './sandbox-controls.js';

// The types of the contract, by subject.
export type { OfferedInstitution } from '../../domain/institutions/offered-institution.js';
export type { FaultReason, SourceFault } from '../../domain/refresh/source-fault.js';
export type * from './configuration-report.js';
export type * from './provider-catalog.js';
export type * from './provider-data.js';
export type * from './provider-login.js';
export type * from './provider-update.js';
export type { InboundWebhook, WebhookEffect, WebhookMeaning } from './provider-webhook.js';
export type * from './provider.types.js';
export type * from './sandbox-controls.js';

/**
 * The contract between Tributary and a source of bank data.
 *
 * An adapter is an object with the members it implements; a method's presence declares the
 * capability. Methods throw `ProviderFailure` (domain/errors/provider-failure.ts) and nothing else
 * on purpose. They accept an `AbortSignal`; when it fires, they stop their I/O and reject with the
 * signal's reason. Adapters keep no state: data that must survive between two calls is returned to
 * the core, which seals and stores it.
 */
export interface Provider {
  /** The configuration: an adapter with one set of the operator's keys. Names its task queue. */
  readonly name: string;
  /** The adapter's folder. */
  readonly adapter: string;
  readonly facts: ProviderFacts;
  /** The institutions that are known without I/O, with their supported products; may be empty. */
  institutions(): readonly OfferedInstitution[];
  /** Reads the source's whole list of institutions in pages. Only the catalog job calls it. */
  listInstitutions?(request: CatalogRequest): AsyncIterable<readonly CatalogInstitution[]>;
  /** Checks the operator's keys without reading any user's data. Reports; throws only when aborted. */
  check(signal: AbortSignal): Promise<ConfigurationReport>;

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
   * Starts a redirect to the bank's own pages. Every call with a new `attemptKey` starts a new
   * redirect, with its own PKCE verifier and nonce; earlier redirects stay valid until they expire.
   * Source: connect 7.
   */
  startRedirect?(context: LoginContext, redirect: RedirectRequest): Promise<RedirectStart>;
  /**
   * Completes a redirect. `callbackUrl` is the complete URL that was called, `state` the bytes of
   * the `startRedirect` whose `state` it contains. A refusal at the bank is thrown (`user_denied`,
   * …). Not idempotent: an authorization code works once.
   */
  completeRedirect?(
    context: LoginContext,
    state: ProviderSecret,
    callbackUrl: string,
  ): Promise<LoginOutcome>;

  /**
   * Makes the source update from its bank, once per run before the fetches. Missing = its data is
   * always current. Repeating a call with the same state is safe.
   */
  update?(access: ProviderAccess, request: UpdateRequest): Promise<UpdateOutcome>;

  fetchAccounts(access: ProviderAccess): Promise<AccountListing>;
  /**
   * Returns every transaction of the window, each once, in pages of any order; complete unless a page
   * limits it in `covered`. If a source uses one id for several rows, they are all returned under it:
   * the core distinguishes them (http/distinct-rows.ts).
   */
  fetchTransactions?(
    access: ProviderAccess,
    window: TransactionWindow,
  ): AsyncIterable<ProviderTransactionPage>;
  /**
   * Returns the numbers for payments to the accounts, each account at most once. Accounts that
   * cannot receive payments may be omitted.
   */
  fetchAccountNumbers?(access: ProviderAccess): Promise<ProviderAccountNumbers[]>;
  /**
   * Returns the owners of the accounts, each account at most once. Accounts with unknown owners may
   * be omitted.
   */
  fetchIdentity?(access: ProviderAccess): Promise<ProviderAccountOwners[]>;
  /**
   * Returns all holdings of the investment accounts, with the accounts whose list is complete.
   * Figures as the source states them, in main currencies: the core decides about the meaning of a
   * cost basis and computes what is missing. At most 5,000 holdings, and 100 lots of each.
   */
  fetchHoldings?(access: ProviderAccess): Promise<ProviderHoldings>;
  /** Returns the movements of the investment accounts in the window, each once; at most 50,000 of an account. */
  fetchInvestmentTransactions?(
    access: ProviderAccess,
    window: TransactionWindow,
  ): Promise<ProviderTrades>;
  /** Returns the debts of the accounts, each account at most once. */
  fetchLiabilities?(access: ProviderAccess): Promise<ProviderLiability[]>;

  /**
   * Returns the time at which the permission ends unless its owner renews it, in the time of its
   * world; null = no known time. The result stays the same until the owner renews it. Called after
   * each login and with each fetch of accounts; a failure changes nothing.
   */
  fetchPermissionEnd?(access: ProviderAccess): Promise<Date | null>;

  /**
   * Ends the permission at the bank. Idempotent. `not_offered`: the bank does not support it, so
   * its customer must end it there. Missing = no institution of this adapter supports it.
   */
  revoke?(access: ProviderAccess): Promise<RevocationOutcome>;

  /** Verifies a webhook of the source and returns its meaning. */
  readWebhook?(webhook: InboundWebhook): Promise<WebhookMeaning>;

  /** Controls that exist only in a sandbox provider. */
  sandbox?: SandboxControls;
}

export interface ProviderFacts {
  /** A lost `begin` may safely be repeated, so the activity may retry it. */
  idempotentLogin: boolean;
  /**
   * The reliability of transaction ids. `stable`: an id names one row for ever. `renewed_when_posted`: a pending row posts under another
   * id. `unreliable`: any row may appear under another id, or under one derived from its content;
   * rows are then matched by content in every fetch.
   */
  transactionIds: 'stable' | 'renewed_when_posted' | 'unreliable';
  /** The provider's limit of calls per second, or null. Becomes the rate of its task queue. */
  requestsPerSecond: number | null;
  /** The maximum number of days of history that a fetch can return. */
  historyDays: number;
  /**
   * `after_login`: the whole history is available only in the first minutes of a permission, so it
   * is fetched first and immediately.
   */
  wholeHistory: 'any_time' | 'after_login';
  /** The calls that the source counts. Adapters call `access.acquire` before a counted call. */
  quotas: readonly QuotaRule[];
  /** The useful interval of scheduled fetches; null = the operator's policy decides. */
  refreshEveryMs: number | null;
  /**
   * The meaning of an account's absence from a complete list. `closed`: the account is closed.
   * `unknown`: it may return the next day, so it is closed only after a week.
   */
  absence: Absence;
}

/** A limit of calls that the source enforces. */
export interface QuotaRule {
  name: string;
  per: 'configuration' | 'permission' | 'account';
  limit: number;
  windowSeconds: number;
  /** Calls for which a user waits are not counted (PSD2). */
  unattendedOnly: boolean;
  /** Calls of each window reserved for requests by apps. */
  reserve: number;
}
