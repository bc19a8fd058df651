import fc from 'fast-check';
import {
  chooseRoute,
  type RouteCandidate,
  type RouteCriteria,
} from '../../../../domain/institutions/route-choice.js';
import {
  FIRST_CALL_PATIENCE_MS,
  firstCallPatience,
} from '../../../../domain/institutions/route-failover.js';
import { criteria, route, ROUTES_AND_CRITERIA } from './support/routes.js';

const patience = (candidates: RouteCandidate[], more: Partial<RouteCriteria> = {}) => {
  const wanted = criteria(more);
  return firstCallPatience(candidates, wanted, chooseRoute(candidates, wanted));
};
const north = route('north');
const south = (more: Partial<RouteCandidate> = {}) => route('south', more);

describe('The patience with the first call of a login', () => {
  it('is 12 seconds where another route is possible, and unlimited where there is none', () => {
    expect(patience([north, south()])).toBe(12_000);
    expect(patience([north])).toBeNull();
    expect(patience([])).toBeNull();
  });

  it.each<[string, RouteCandidate[], Partial<RouteCriteria>]>([
    ['is disabled', [north, south({ enabled: false })], {}],
    ['is full', [north, south({ links: 1, maxLinks: 1 })], {}],
    ['is down', [north, south({ health: 'down' })], {}],
    ['failed earlier in the session', [north, south()], { failedBefore: ['south'] }],
    [
      'needs a redirect_uri that the session lacks',
      [north, south({ login: 'redirect' })],
      { mayRedirect: false },
    ],
  ])('is unlimited where the other route %s', (_, candidates, wanted) => {
    expect(patience(candidates, wanted)).toBeNull();
  });

  it('counts a form as another route than the redirect that the user starts', () => {
    const leaving = route('north', { login: 'redirect' });
    expect(patience([leaving, south()], { mustRedirect: true })).toBe(12_000);
  });

  it('is unlimited where the first call is the whole login, because a permission issued later would be lost', () => {
    expect(patience([route('north', { login: 'none' }), south()])).toBeNull();
  });

  it('is limited only where a login that fails continues elsewhere', () => {
    fc.assert(
      fc.property(ROUTES_AND_CRITERIA, ([candidates, wanted]) => {
        const choice = chooseRoute(candidates, wanted);
        const limit = firstCallPatience(candidates, wanted, choice);
        if (limit === null) return;
        const next = chooseRoute(candidates, {
          ...wanted,
          failed: choice.chosen,
          mustRedirect: false,
        });
        expect(next.chosen).not.toBeNull();
        expect(Object.values(FIRST_CALL_PATIENCE_MS)).toContain(limit);
      }),
    );
  });
});
