import type { ProviderCause } from '../errors/provider-failure.js';
import {
  chooseRoute,
  type RouteCandidate,
  type RouteChoice,
  type RouteCriteria,
} from './route-choice.js';
import { leavesConnect, type RouteLogin } from './route-login.js';

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
 * The time that the first call of a login has when another route could replace it, by the kind of
 * login; null = as long as the adapter waits. connect 5, rule 10.
 */
export const FIRST_CALL_PATIENCE_MS: Readonly<Record<RouteLogin, number | null>> = {
  // Requests a form or an address for the user. What the source keeps of it, such as a pushed
  // authorization request, is void without the user and expires by itself.
  form: 12_000,
  redirect: 12_000,
  page: 12_000,
  // This call is the whole login: a permission issued after it was abandoned could never be ended.
  none: null,
};

/**
 * The time that the first call to the chosen route has; null = it is not abandoned, because no
 * other route can be expected to respond.
 */
export function firstCallPatience(
  candidates: readonly RouteCandidate[],
  criteria: RouteCriteria,
  { chosen }: Pick<RouteChoice, 'chosen'>,
): number | null {
  const first = candidates.find(({ provider }) => provider === chosen);
  if (first === undefined) return null;
  // The next route may have a form, even where the user has just started a redirect.
  const without = { ...criteria, failed: first.provider, mustRedirect: false };
  const { chosen: name } = chooseRoute(candidates, without);
  const next = candidates.find(({ provider }) => provider === name);
  const canRespond =
    next !== undefined &&
    next.health !== 'down' &&
    !criteria.failedBefore.includes(next.provider) &&
    (criteria.mayRedirect || !leavesConnect(next.login));
  return canRespond ? FIRST_CALL_PATIENCE_MS[first.login] : null;
}

/**
 * Shown with the first step of a login through a different route from the one before it. connect 5,
 * rule 10.
 */
export const OTHER_ROUTE = {
  code: 'other_route',
  text: 'The usual connection to this bank is not available. Continue here through another one.',
};
