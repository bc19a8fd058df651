import fc from 'fast-check';
import type {
  RouteCandidate,
  RouteCriteria,
} from '../../../../../domain/institutions/route-choice.js';

export const route = (provider: string, more: Partial<RouteCandidate> = {}): RouteCandidate => ({
  provider,
  login: 'form',
  products: ['accounts', 'transactions'],
  environment: 'live',
  enabled: true,
  broken: false,
  unpinned: false,
  health: 'operational',
  links: 0,
  maxLinks: null,
  preferred: false,
  priceClass: 0,
  priority: 0,
  ...more,
});

export const criteria = (more: Partial<RouteCriteria> = {}): RouteCriteria => ({
  environment: 'live',
  requiredProducts: ['transactions'],
  sessionProviders: [],
  appProviders: [],
  mayRedirect: true,
  mustRedirect: false,
  serves: null,
  moveTo: null,
  failed: null,
  failedBefore: [],
  ...more,
});

const NAMES = ['a', 'b', 'c', 'd'];
const SOME = fc.subarray(NAMES);
const CANDIDATES = fc.uniqueArray(
  fc.record<RouteCandidate>({
    provider: fc.constantFrom(...NAMES),
    login: fc.constantFrom('form', 'redirect', 'page', 'none'),
    products: fc.subarray(['accounts', 'transactions']),
    environment: fc.constantFrom('live', 'sandbox'),
    enabled: fc.boolean(),
    broken: fc.boolean(),
    unpinned: fc.boolean(),
    health: fc.constantFrom('operational', 'degraded', 'down'),
    links: fc.nat(3),
    maxLinks: fc.option(fc.nat(3)),
    preferred: fc.boolean(),
    priceClass: fc.nat(2),
    priority: fc.nat(2),
  }),
  { selector: ({ provider }) => provider },
);
const CRITERIA = fc.record<RouteCriteria>({
  environment: fc.constantFrom('live', 'sandbox'),
  requiredProducts: fc.subarray(['accounts', 'transactions'] as const),
  sessionProviders: SOME,
  appProviders: SOME,
  mayRedirect: fc.boolean(),
  mustRedirect: fc.boolean(),
  serves: fc.option(fc.constantFrom(...NAMES)),
  moveTo: fc.option(fc.constantFrom(...NAMES)),
  failed: fc.option(fc.constantFrom(...NAMES)),
  failedBefore: fc.array(fc.constantFrom(...NAMES)),
});
/** Any routes of up to four providers, and any login that chooses among them. */
export const ROUTES_AND_CRITERIA = fc.tuple(CANDIDATES, CRITERIA);
