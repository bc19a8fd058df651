import type { StepContent } from '../domain/session/connect-step.js';
import type { Product } from '../domain/link/products.js';
import type { ProviderSecret, WorldFacts } from './provider.types.js';

export interface LoginContext extends WorldFacts {
  /** The provider's id of the institution. */
  remoteId: string;
  /** Stable within one attempt: repeating the key must not log in a second time. */
  attemptKey: string;
  customerUserId: string;
  environment: 'sandbox' | 'live';
  requestedProducts: readonly Product[];
  /**
   * The session's `custom_sandbox_data`, unchanged (link-lifecycle 13.4). Live adapters ignore it.
   */
  sandboxData?: Readonly<Record<string, unknown>> | null;
  /**
   * Set when an existing link is repaired or extended: the `reference` of its permission (null if
   * it never had one) and the products granted before.
   */
  relink?: { reference: string | null; products?: readonly Product[] } | null;
  signal: AbortSignal;
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
      /** As counted by the bank; null = the bank does not report it. */
      attemptsLeft: number | null;
      expiresAt: Date | null;
      /** With a `wait` step: how long to wait before each `poll`. */
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
  /** Unguessable and unique to this redirect; made by the core and returned by the bank. */
  state: string;
  /** Where the bank redirects the user: the core's callback URL, without a query. */
  redirectUri: string;
}

export interface RedirectStart {
  /** For the user's browser. */
  authorizeUrl: string;
  /** The expected `iss` of the callback; null if this source does not send it. */
  issuer: string | null;
  /** When the redirect expires. */
  expiresAt: Date;
  state: ProviderSecret;
}
