import type { StepContent } from '../domain/session/connect-step.js';
import type { Product } from '../domain/link/products.js';
import type { ProviderSecret, WorldFacts } from './provider.types.js';

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
