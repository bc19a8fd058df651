import type { Environment } from '../api/environment.js';
import type { Product } from '../link/products.js';
import { leavesConnect, type RouteLogin } from './route-login.js';
import type { RouteHealthClass } from './route-health.js';

/** A route to an institution through one provider, with its current facts. */
export interface RouteCandidate {
  provider: string;
  login: RouteLogin;
  products: readonly string[];
  /**
   * The environment of the configuration; null = a built-in provider, whose institutions restrict
   * its use.
   */
  environment: Environment | null;
  enabled: boolean;
  /** The source refuses the operator's keys. */
  broken: boolean;
  /** The addresses of the institution are not pinned, so no key or login may go there. */
  unpinned: boolean;
  health: RouteHealthClass;
  /** The number of links it serves, and its maximum; null = unlimited. */
  links: number;
  maxLinks: number | null;
  preferred: boolean;
  /** 0 = free. */
  priceClass: number;
  priority: number;
}

/** The requirements of a login for its route. */
export interface RouteCriteria {
  environment: Environment;
  requiredProducts: readonly Product[];
  /** `settings.providers` of the session, in its order; empty = any. */
  sessionProviders: readonly string[];
  /** The providers the app may use, in its order; empty = any. */
  appProviders: readonly string[];
  /** The session has a redirect_uri. */
  mayRedirect: boolean;
  /** The user is about to leave for the bank's own pages. */
  mustRedirect: boolean;
  /** The provider that serves the link of a relink; null = a new link. */
  serves: string | null;
  /** The target of the next relink that the operator chose (`links move`); null = none. */
  moveTo: string | null;
  /** A provider that was unreachable in this attempt; null = none. */
  failed: string | null;
  /** Providers whose routes failed earlier in this session, the most recent last. */
  failedBefore: readonly string[];
}

/** The reason that a route was dropped, or the criterion that ordered it. */
export type RouteReason =
  | 'other_environment'
  | 'disabled'
  | 'keys_refused'
  | 'not_pinned'
  | 'not_allowed_for_app'
  | 'not_in_session'
  | 'lacks_products'
  | 'needs_redirect_uri'
  | 'has_no_redirect'
  | 'full'
  | 'just_failed'
  | 'down'
  | 'moved_by_operator'
  | 'serves_the_link'
  | 'only_route'
  | 'session_order'
  | 'app_order'
  | 'priority'
  | 'preferred'
  | 'health'
  | 'price'
  | 'name';

export interface JudgedRoute {
  provider: string;
  verdict: 'chosen' | 'possible' | 'dropped';
  /** For a possible route: the first criterion by which it comes after the chosen one. */
  reason: RouteReason;
}

export interface RouteChoice {
  /** Null = every route was dropped. */
  chosen: string | null;
  /** Every route: the chosen one first, then in order of preference. */
  routes: JudgedRoute[];
}

type Filter = (route: RouteCandidate, criteria: RouteCriteria) => boolean;

/** The reasons that drop a route, in order of evaluation. */
const FILTERS: readonly (readonly [RouteReason, Filter])[] = [
  [
    'other_environment',
    (route, criteria) => (route.environment ?? criteria.environment) !== criteria.environment,
  ],
  ['disabled', (route) => !route.enabled],
  ['keys_refused', (route) => route.broken],
  ['not_pinned', (route) => route.unpinned],
  ['not_allowed_for_app', (route, criteria) => isExcluded(route, criteria.appProviders)],
  ['not_in_session', (route, criteria) => isExcluded(route, criteria.sessionProviders)],
  [
    'lacks_products',
    (route, criteria) =>
      criteria.requiredProducts.some((product) => !route.products.includes(product)),
  ],
  ['has_no_redirect', (route, criteria) => criteria.mustRedirect && !leavesConnect(route.login)],
  [
    'full',
    (route, criteria) =>
      route.maxLinks !== null &&
      route.links >= route.maxLinks &&
      route.provider !== criteria.serves,
  ],
  ['just_failed', (route, criteria) => route.provider === criteria.failed],
];

type Rank = (route: RouteCandidate, criteria: RouteCriteria) => number;

/** The criteria that order possible routes; smaller ranks first. */
const ORDER: readonly (readonly [RouteReason, Rank])[] = [
  // A session may name a bank without having a redirect_uri for it, so a route that stays in
  // Connect is better.
  [
    'needs_redirect_uri',
    (route, criteria) => (!criteria.mayRedirect && leavesConnect(route.login) ? 1 : 0),
  ],
  // Another try uses another route; once every route has failed, the one that failed first.
  ['just_failed', (route, criteria) => criteria.failedBefore.lastIndexOf(route.provider)],
  ['moved_by_operator', (route, criteria) => (route.provider === criteria.moveTo ? 0 : 1)],
  // A source that is down is the last resort, even for the links it serves.
  ['down', (route) => (route.health === 'down' ? 1 : 0)],
  ['serves_the_link', (route, criteria) => (route.provider === criteria.serves ? 0 : 1)],
  ['session_order', (route, criteria) => positionIn(criteria.sessionProviders, route.provider)],
  ['app_order', (route, criteria) => positionIn(criteria.appProviders, route.provider)],
  ['preferred', (route) => (route.preferred ? 0 : 1)],
  ['priority', (route) => -route.priority],
  ['health', (route) => (route.health === 'operational' ? 0 : 1)],
  ['price', (route) => route.priceClass],
];

/**
 * Chooses the route of a login and assigns a reason to every route. Pure: equal input results in
 * the same choice, regardless of the order of the routes.
 */
export function chooseRoute(
  candidates: readonly RouteCandidate[],
  criteria: RouteCriteria,
): RouteChoice {
  const dropped: JudgedRoute[] = [];
  const possible: RouteCandidate[] = [];
  for (const route of [...candidates].sort(byName)) {
    const filter = FILTERS.find(([, drops]) => drops(route, criteria));
    if (filter === undefined) possible.push(route);
    else dropped.push({ provider: route.provider, verdict: 'dropped', reason: filter[0] });
  }
  possible.sort((one, other) => compare(one, other, criteria).order);
  const [best, ...others] = possible;
  if (best === undefined) return { chosen: null, routes: dropped };
  const [second] = others;
  const first: JudgedRoute = {
    provider: best.provider,
    verdict: 'chosen',
    reason: second === undefined ? 'only_route' : compare(best, second, criteria).reason,
  };
  const later = others.map((route): JudgedRoute => ({
    provider: route.provider,
    verdict: 'possible',
    reason: compare(best, route, criteria).reason,
  }));
  return { chosen: best.provider, routes: [first, ...later, ...dropped] };
}

function compare(
  one: RouteCandidate,
  other: RouteCandidate,
  criteria: RouteCriteria,
): { order: number; reason: RouteReason } {
  for (const [reason, rank] of ORDER) {
    const order = rank(one, criteria) - rank(other, criteria);
    if (order !== 0) return { order, reason };
  }
  return { order: byName(one, other), reason: 'name' };
}

function byName(one: RouteCandidate, other: RouteCandidate): number {
  return one.provider < other.provider ? -1 : one.provider > other.provider ? 1 : 0;
}

function isExcluded({ provider }: RouteCandidate, allowed: readonly string[]): boolean {
  return allowed.length > 0 && !allowed.includes(provider);
}

function positionIn(order: readonly string[], provider: string): number {
  const position = order.indexOf(provider);
  return position < 0 ? order.length : position;
}
