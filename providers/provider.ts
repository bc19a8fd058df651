import type { Decimal } from 'decimal.js';
import type { AccountMarks } from '../domain/account-marks.js';
import type { AccountNumbers } from '../domain/account-numbers.js';
import type { Owner } from '../domain/account-owner.js';
import type { Product } from '../domain/products.js';
import type { StepContent, StepInput } from '../domain/connect-step.js';
import type { NewSandboxFault, SandboxFault } from '../domain/sandbox-fault.js';
import type { ScriptedStatus, ScriptStep } from '../domain/sandbox-script.js';

/**
 * The contract between Tributary and a source of bank data.
 *
 * An adapter is an object with the members it implements: a capability is declared by having the method.
 * Every method may throw `ProviderFailure` (domain/provider-failure.ts) and nothing else on purpose; every method
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
  completeRedirect?(context: LoginContext, state: ProviderSecret, callbackUrl: string): Promise<LoginOutcome>;

  fetchAccounts(access: ProviderAccess): Promise<ProviderAccount[]>;
  /** Every row of the window, each id once, in pages of any order; complete unless a page says otherwise in `covered`. */
  fetchTransactions?(access: ProviderAccess, window: TransactionWindow): AsyncIterable<ProviderTransactionPage>;
  /** How money reaches the accounts, each at most once; one that money cannot be sent to may be left out. */
  fetchAccountNumbers?(access: ProviderAccess): Promise<ProviderAccountNumbers[]>;
  /** Who owns the accounts, each account at most once; one whose owners the source does not know may be left out. */
  fetchIdentity?(access: ProviderAccess): Promise<ProviderAccountOwners[]>;

  /** Ends the permission at the bank. Idempotent: revoking twice succeeds. */
  revoke?(access: ProviderAccess): Promise<void>;

  /** What only a pretend source can do. */
  sandbox?: SandboxControls;
}

/** Source: link-lifecycle 10 and 14. */
export interface SandboxControls {
  /** The bank refuses this permission from now on, as if its time were over. Idempotent. */
  expirePermission(access: ProviderAccess): Promise<void>;
  /** When the bank will refuse it by itself, in the time of its world; null = never. */
  permissionEnd(access: ProviderAccess): Promise<Date | null>;
  /** A whole login without a person: whatever is asked after the password is answered correctly. Fails like the login of a person. */
  logIn(context: LoginContext, credentials: { username: string; password: string }): Promise<LinkedOutcome>;
  /** Writes rows at the bank, all of them or none; a later fetch brings what changed. Accounts are named by the provider's ids. */
  runScript(access: ProviderAccess, script: readonly ScriptStep[]): Promise<ScriptOutcome>;
  /** Makes something go wrong at an institution of one world. The same `faultId` again is the same fault. */
  createFault(place: FaultPlace, fault: NewSandboxFault): Promise<SandboxFault>;
  /** Those that are not used up, oldest first. */
  listFaults(place: FaultPlace): Promise<SandboxFault[]>;
  /** Which world a fault is in; null = there is no such fault. */
  worldOfFault(faultId: string, signal: AbortSignal): Promise<string | null>;
  /** Idempotent. */
  liftFault(faultId: string, signal: AbortSignal): Promise<void>;
  /** Forgets a world with everyone in it. Idempotent. */
  forgetWorld(worldId: string, signal: AbortSignal): Promise<void>;
}

/** A sandbox world as pretend sources know it. */
export interface WorldFacts {
  /** Unguessable, the same for all institutions. */
  worldId: string;
  /** A whole number as text: the same seed gives the same data. Missing = the source knows the world already. */
  worldSeed?: string;
  /** What time it is there, which dates its data; null or missing = real time. */
  worldTime?: Date | null;
}

export interface FaultPlace extends WorldFacts {
  remoteId: string;
  signal: AbortSignal;
}


/** What the rows are that a script touched, or the step that could not be done (from 0): then nothing was. */
export type ScriptOutcome =
  | { kind: 'done'; rows: { ref: string; providerTransactionId: string; status: ScriptedStatus }[] }
  | { kind: 'impossible'; index: number; reason: string };

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
}

/** Bytes only the adapter understands. The core seals them and never looks inside. */
export type ProviderSecret = Uint8Array;

export interface LoginContext extends WorldFacts {
  /** The provider's id of the institution. */
  remoteId: string;
  /** Stable for one attempt: the same key again must not log in a second time. */
  attemptKey: string;
  customerUserId: string;
  environment: 'sandbox' | 'live';
  requestedProducts: readonly Product[];
  /** `custom_sandbox_data` of the session as it came (link-lifecycle 13.4); live adapters ignore it. */
  sandboxData?: Readonly<Record<string, unknown>> | null;
  /** Set when an existing link is repaired or extended: the `reference` of its permission, null when it never had one, and what the user granted before. */
  relink?: { reference: string | null; products?: readonly Product[] } | null;
  signal: AbortSignal;
}

/** What a login leads to: another step for the user, or a permission. Failures are thrown. */
export type LoginOutcome =
  | {
      kind: 'step';
      step: StepContent;
      message: string | null;
      /** Codes Connect has words for: `invalid_credentials`, `invalid_code`, `invalid_answer`, `resend_too_early`. */
      error: { code: string; text: string } | null;
      /** As the bank counts; null when it does not say. */
      attemptsLeft: number | null;
      expiresAt: Date | null;
      /** With a `wait` step: when to `poll` first, and again as long as it stays. */
      pollAfterMs?: number | null;
      state: ProviderSecret;
    }
  | LinkedOutcome;

export interface LinkedOutcome {
  kind: 'linked';
  credential: ProviderSecret;
  reference: string;
  consent: 'given_at_bank' | 'ask';
}

export interface RedirectRequest {
  /** Made by the core: unguessable, for this way alone. The bank hands it back. */
  state: string;
  /** Where the bank sends the user: the core's callback address, without query. */
  redirectUri: string;
}

export interface RedirectStart {
  /** For the browser of the user. */
  authorizeUrl: string;
  /** What `iss` of the callback must be; null when this source does not send it. */
  issuer: string | null;
  /** Until when the user may come back. */
  expiresAt: Date;
  state: ProviderSecret;
}

/** What a data call needs: the opened credential, and which institution it is for. */
export interface ProviderAccess {
  remoteId: string;
  credential: ProviderSecret;
  /** The same for all calls and repetitions of one fetch of a product. A source that counts fetches counts each once. */
  fetchKey?: string;
  /** What the user granted. Of what belongs to other products nothing may be asked; missing = accounts alone. */
  products?: readonly Product[];
  /** What time it is in the sandbox world of the permission; null or missing = real time. Live adapters ignore it. */
  worldTime?: Date | null;
  signal: AbortSignal;
}

export interface ProviderAccount {
  /** The provider's id, stable for this permission. */
  providerAccountId: string;
  /** One of domain/account-types.ts. */
  accountType: string;
  name: string;
  mask: string | null;
  currency: string;
  available: Decimal | null;
  current: Decimal | null;
  limit: Decimal | null;
  balanceDate: Date | null;
  /**
   * Where the source says with its listing and `products` allows it: the whole account number, and the names of the owners.
   * An account that comes under another id is recognised by them; they are compared and never stored.
   */
  marks?: AccountMarks;
}

export interface ProviderAccountNumbers {
  providerAccountId: string;
  numbers: AccountNumbers;
}

export interface ProviderAccountOwners {
  providerAccountId: string;
  /** In the order of the source. */
  owners: Owner[];
}

/** Days, inclusive, `YYYY-MM-DD`. */
export interface TransactionWindow {
  from: string;
  to: string;
}

export interface ProviderTransactionPage {
  transactions: ProviderTransaction[];
  /**
   * The days of the window that the source still knows, the same on every page; null = none, missing = the whole window.
   * Only inside it does a row's absence mean that the source withdrew it: history rolls on while we read.
   */
  covered?: TransactionWindow | null;
}

export interface ProviderTransaction {
  providerTransactionId: string;
  providerAccountId: string;
  /** Never negative; direction is in `type`. */
  amount: Decimal;
  type: 'debit' | 'credit';
  currency: string;
  /** `YYYY-MM-DD`. */
  date: string;
  /** Local time of the institution, `YYYY-MM-DDTHH:MM:SS.mmm`, or null. */
  datetime: string | null;
  description: string | null;
  rawDescription: string | null;
  pending: boolean;
  /** `group.subgroup` of domain/transaction-categories.ts, or null. */
  category: string | null;
  /** Of a posted row whose id changed (`facts.pendingIdsSurvive` is false): the id it had while it was pending, if the source says so. */
  replaces?: string | null;
}
