/**
 * The reasons that a bank or data provider did not return the requested data. Every adapter uses
 * this vocabulary; `domain/errors/failure-mapping.ts` defines the meaning of each cause for a link,
 * a product and the user in Connect.
 */
export const PROVIDER_CAUSES = [
  'invalid_credentials',
  'mfa_failed',
  'account_locked',
  'user_action_required',
  'user_denied',
  'incomplete',
  'consent_expired',
  'no_accounts',
  'no_eligible_accounts',
  'no_permission',
  'not_supported',
  'institution_down',
  'institution_timeout',
  'provider_down',
  'rate_limited',
  'malformed',
  'internal',
] as const;
export type ProviderCause = (typeof PROVIDER_CAUSES)[number];

/**
 * The only error an adapter throws. `message` is Tributary's own sentence, never a remote body, a
 * URL with a query or a secret, because operators see it and workflow histories keep it.
 */
export class ProviderFailure extends Error {
  constructor(
    readonly providerCause: ProviderCause,
    message: string,
    /** The delay that the provider requested, if any. */
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message);
    this.name = 'ProviderFailure';
  }
}

/**
 * The source refuses the operator's own keys, for any user's data. The configuration is broken
 * until a check succeeds; the states of links do not change.
 */
export class KeysRefused extends ProviderFailure {
  constructor(message: string) {
    super('internal', message);
  }
}

/** A quota counted by Tributary has no calls left, so the source did not have to refuse one. */
export class QuotaUsedUp extends ProviderFailure {
  constructor(quota: string, retryAfterSeconds: number) {
    super('rate_limited', `The quota "${quota}" is used up.`, retryAfterSeconds);
    this.name = 'QuotaUsedUp';
  }
}
