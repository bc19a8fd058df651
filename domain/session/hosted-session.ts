import type { SessionOptions } from './session-options.js';
import type { SessionOutcome } from './session-outcome.js';

/** Limits of the lifetime of a hosted address, in seconds. Source: link-lifecycle 2.6. */
export const HOSTED_LIFETIME = { min: 60, max: 604_800 };

/** The part of a native request that asks for a hosted session. */
export interface HostedRequest {
  return_url?: string | undefined;
  expires_in_seconds?: number | undefined;
}

/** The options of a session that the native API creates for the hosted page. */
export function hostedOptions({
  return_url: returnUrl,
  expires_in_seconds: seconds,
}: HostedRequest): SessionOptions {
  return {
    unopenedMs: seconds === undefined ? null : seconds * 1_000,
    clientName: null,
    language: null,
    accountTypes: null,
    historyDays: null,
    institutionAlias: null,
    hosted: { completionRedirectUri: returnUrl ?? null, reportsOutcome: true },
    asksForAccounts: false,
  };
}

/**
 * The address to which the page redirects at the end: with the outcome, and with nothing that
 * grants access. `uri`: without query and fragment. Source: link-lifecycle 2.6.
 */
export function returnAddress(
  uri: string,
  { sessionId, outcome }: { sessionId: string; outcome: SessionOutcome },
): string {
  return `${uri}?session_id=${sessionId}&outcome=${outcome}`;
}
