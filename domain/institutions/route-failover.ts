import type { ProviderCause } from '../errors/provider-failure.js';

/**
 * Causes of a failed login for which another route to the institution is tried: something between
 * us and the bank. What the user did wrong, or the bank decided, would be the same through any route.
 */
export const FAILOVER_CAUSES: readonly ProviderCause[] = [
  'institution_down',
  'institution_timeout',
  'provider_down',
  'rate_limited',
  'malformed',
  'not_supported',
  'internal',
];

/** Shown with the first step of a login that goes elsewhere than the one before it. connect 5, rule 10. */
export const OTHER_ROUTE = {
  code: 'other_route',
  text: 'The usual connection to this bank is not available. Continue here through another one.',
};
