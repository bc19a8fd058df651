import type { FactsByAccount } from '../../domain/accounts/account-facts.js';
import type { StepContent } from '../../domain/session/connect-step.js';
import type { Product } from '../../domain/link/products.js';
import type { SourceFault } from '../../domain/refresh/source-fault.js';
import type { EndUser } from '../../domain/session/end-user.js';
import type { ProviderSecret, WorldFacts } from './provider.types.js';

export interface LoginContext extends WorldFacts {
  /** The provider's id of the institution. */
  remoteId: string;
  /** Stable within one attempt: repeating the key must not log in a second time. */
  attemptKey: string;
  customerUserId: string;
  appId: string;
  /** The name by which the user knows the app. */
  appName: string;
  environment: 'sandbox' | 'live';
  requestedProducts: readonly Product[];
  /** The country of the institution: ISO 3166-1 alpha-2. */
  country: string;
  endUser: EndUser | null;
  /**
   * The session's `custom_sandbox_data`, unchanged (link-lifecycle 13.4). Live adapters ignore it.
   */
  sandboxData?: Readonly<Record<string, unknown>> | null;
  /**
   * Set when an existing link is repaired or extended: the `reference` of its permission (null if
   * it never had one) and the products granted before. `existing` is the permission to renew, which
   * belongs to this provider; null or missing = there is none, or it belongs to another provider.
   */
  relink?: {
    reference: string | null;
    products?: readonly Product[];
    existing?: { reference: string; credential: ProviderSecret } | null;
    /** As `ProviderAccess.accountFacts`. */
    accountFacts?: FactsByAccount;
  } | null;
  /** Missing = none are known. */
  usedTokens?: UsedTokens;
  /** As `AccessServices.note`: a login lists accounts, too. */
  note(fault: SourceFault): void;
  signal: AbortSignal;
}

/**
 * Single-use tokens that this session has used at the source, in any of its attempts. If the source
 * refuses one of them later, that is not evidence of use by someone else.
 */
export interface UsedTokens {
  add(token: string): Promise<void>;
  includes(token: string): Promise<boolean>;
}

/** The result of a login call: another step for the user, or a permission. Failures are thrown. */
export type LoginOutcome =
  | {
      kind: 'step';
      step: StepContent;
      message: string | null;
      /**
       * Codes Connect has texts for: `invalid_credentials`, `invalid_code`, `invalid_answer`,
       * `resend_too_early`.
       */
      error: { code: string; text: string } | null;
      /** The bank's own count; null = the bank does not report it. */
      attemptsLeft: number | null;
      expiresAt: Date | null;
      /** With a `wait` step: the delay before each `poll`. */
      pollAfterMs?: number | null;
      state: ProviderSecret;
    }
  | LinkedOutcome;

/**
 * A permission. Return it as soon as the source has issued it, before reading anything with it: the
 * core stores it first, so that a single-use token or code is not lost when the accounts cannot be
 * listed. docs/decisions/live/0051.
 */
export interface LinkedOutcome {
  kind: 'linked';
  credential: ProviderSecret;
  reference: string;
  consent: 'given_at_bank' | 'ask';
  /**
   * Whether it can be renewed without its user, if that was requested: false = the source did not
   * provide the means, so it ends within hours, and the operator is warned. Missing = not
   * requested.
   */
  isRenewable?: boolean;
  /**
   * The linked institution, if the source's own page lets the user choose a different one; null or
   * missing = the requested one.
   */
  institution?: { remoteId: string; name: string; url: string | null } | null;
}

export interface RedirectRequest {
  /** Unguessable and unique to this redirect; created by the core and returned by the bank. */
  state: string;
  /** The address to which the bank redirects the user: the core's callback URL, without a query. */
  redirectUri: string;
  /**
   * The same address with `state` in its query, for sources that do not return parameters of their
   * own.
   */
  returnAddress: string;
}

/**
 * The target of the redirect: an address, or a page of Tributary around the source's own widget.
 */
export type RedirectStart = RedirectAddress | RedirectPage;

interface StartedRedirect {
  /** The expiry of the redirect. */
  expiresAt: Date;
  state: ProviderSecret;
}

export interface RedirectAddress extends StartedRedirect {
  kind: 'address';
  /** For the user's browser. */
  authorizeUrl: string;
  /** The expected `iss` of the callback; null if this source does not send it. */
  issuer: string | null;
  /**
   * `code_or_error`: as in RFC 6749. `anything`: the callback only shows that the user has
   * returned.
   */
  returns: 'code_or_error' | 'anything';
}

export interface RedirectPage extends StartedRedirect {
  kind: 'page';
  /** The name of the page. */
  page: string;
  /** Public values for the widget. */
  settings: Readonly<Record<string, string | readonly string[]>>;
}
