import type { ProviderCause } from '../errors/provider-failure.js';

/**
 * Causes of a failed login after which another route to the institution is tried: faults between
 * Tributary and the bank. A mistake of the user or a decision of the bank would recur through any
 * route.
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

/**
 * Shown with the first step of a login through a different route from the one before it. connect 5,
 * rule 10.
 */
export const OTHER_ROUTE = {
  code: 'other_route',
  text: 'The usual connection to this bank is not available. Continue here through another one.',
};
